/** Knows which objects of a kind this process works on, of those that it shares with others. */
export interface ObjectOwnership {
  /** Whether the object with this UID is its own now. */
  owns(uid: string): boolean;
  /** What selects its own objects on a server with shard selectors (KEP-5866); undefined if all are its own. */
  readonly selector: string | undefined;
  /**
   * Calls back after every change.
   * @param listener receives whether objects have become its own.
   * @returns a function that ends that.
   */
  onChange(listener: (hasGained: boolean) => void): () => void;
}
