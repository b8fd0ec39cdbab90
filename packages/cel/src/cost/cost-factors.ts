/** Constants of cel-go's `common/cost.go`. */
export const stringFactor = 0.1;
export const regexFactor = 0.25;
export const listBaseCost = 10n;
export const mapBaseCost = 30n;
export const structBaseCost = 40n;
