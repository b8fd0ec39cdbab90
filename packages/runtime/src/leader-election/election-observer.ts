/** Told of what happens in a leader election, for metrics. */
export interface ElectionObserver {
  /** This process became the leader, or is it no more. */
  leading(name: string, leads: boolean): void;
}
