/** What became of one object between two states of a store. */
export type Change<T> =
  | { type: 'added'; object: T }
  | { type: 'updated'; oldObject: T; object: T }
  | {
      type: 'deleted';
      object: T;
      /** True when its end was not seen, only that it is gone. */
      finalStateUnknown: boolean;
    };
