/** The answer to an access review. */
export interface AccessDecision {
  allowed: boolean;
}

/** Allows everything, as with `--authorization-mode=AlwaysAllow`. */
export function decide(): AccessDecision {
  return { allowed: true };
}
