/** Facts of cel-go's `common/cost.go`. */
export const STRING_FACTOR = 0.1;
export const REGEX_FACTOR = 0.25;
export const LIST_COST = 10n;
export const MAP_COST = 30n;
export const STRUCT_COST = 40n;
