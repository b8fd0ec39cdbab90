/** 10 ns to 1000 s, in steps of ten: what controller-runtime has for times that may be very short. */
export const wideBuckets: readonly number[] = Array.from({ length: 12 }, (_, power) =>
  Number(`1e${power - 8}`),
);
