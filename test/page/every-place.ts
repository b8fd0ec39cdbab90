/** Every view of the scripted state: what follows `#/`. */
export const everyPlace = [
  'objects',
  'objects/website%2Fshop',
  'reconciles',
  'reconciles/a6',
  'waiting',
  'requests',
  'rights',
  'log',
  'controls',
];
