/** A caller, as the API server knows it. */
export interface UserInfo {
  /** Such as `system:serviceaccount:default:builder`. */
  username: string;
  /** Distinguishes users that had the same name at different times, if the authenticator knows it. */
  uid?: string;
  /** Such as `system:authenticated`. */
  groups?: string[];
  /** Any other facts that the authenticator knows. */
  extra?: Record<string, string[]>;
}
