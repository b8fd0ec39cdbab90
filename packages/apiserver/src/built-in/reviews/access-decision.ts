/** Whether somebody may do something. */
export interface AccessDecision {
  allowed: boolean;
}

/** Everybody may do everything, as with `--authorization-mode=AlwaysAllow`. */
export function decide(): AccessDecision {
  return { allowed: true };
}
