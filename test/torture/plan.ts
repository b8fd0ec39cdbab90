import type { MergePatch } from 'ots-runtime';

/** A write of the operator: the nth with this verb, to this resource, with this name. */
export interface WriteMoment {
  /** As RBAC knows it. An apply is a `patch`. */
  readonly verb: string;
  /** With the subresource and the group, such as `statefulsets.apps` or `rings/status.example.com`. */
  readonly resource: string;
  /** Default: any. */
  readonly name?: string;
  /** From 1. Default 1. */
  readonly occurrence?: number;
}

/**
 * - `before` a step, such as `is scaled`; `after` it, when the operator had its time
 * - `beforeWrite`: before the server receives a write of the operator
 */
export type Moment =
  | { readonly before: string }
  | { readonly after: string }
  | { readonly beforeWrite: WriteMoment };

/** The watches of a resource deliver nothing for a while. */
export interface Hold {
  /** Such as `pods` or `statefulsets.apps`. */
  readonly resource: string;
  readonly from: Moment;
  /** Default: the end. */
  readonly until?: Moment;
  /** Whether the states in between are skipped: the operator lists the last one. Default: it then sees all of them. */
  readonly skips?: boolean;
  /** Which process is blind. Default: the one that leads at first. */
  readonly of?: 'leader' | 'standby';
}

/** What a user does with the object after the changes of the subject. */
export type Edit =
  | { readonly title: string; readonly patch: MergePatch<object> }
  | { readonly title: string; readonly deletes: true };

/** What happens to an operator, as data: when it ends, what it does not see, and what users do besides. */
export interface Plan {
  /** The operator ends when the server has stored this write, before it knows. Another one starts. */
  readonly crashAfter?: WriteMoment;
  readonly holds?: readonly Hold[];
  /** The leader ends, and its standby takes over, whose caches have been filled from the start. */
  readonly failover?: Moment;
  /** The operator ends, and another one starts, whose lists may be as old as the `staleSince`. */
  readonly restart?: { readonly at: Moment; readonly staleSince: Moment };
  /** Steps that follow the one before as soon as nothing happens without time. */
  readonly soon?: readonly string[];
  readonly edits?: readonly Edit[];
}
