import type { Kind } from 'ots-kubernetes';
import { RuntimeError } from '../errors/runtime-error.ts';
import { isBuiltIn } from './install-hint.ts';
import { kindName } from './kind-name.ts';

/** The server has no such kind. */
export class NoKindMatchError extends RuntimeError {
  /** Stable; to branch on. */
  readonly code = 'NO_KIND_MATCH';
}

/** The server has the kind, but without the subresource, as for a custom kind without `@subresource status`. */
export class NoSubresourceError extends RuntimeError {
  /** Stable; to branch on. */
  readonly code = 'NO_SUBRESOURCE';

  /** @param subresource its name, such as `status` */
  constructor(kind: Kind, subresource: string) {
    super(`${kindName(kind)} has no ${subresource} subresource`, remedy(kind, subresource));
  }
}

/** The tags that give a custom kind a subresource. */
const tags: Readonly<Record<string, string>> = { status: '@subresource status', scale: '@scale' };

function remedy(kind: Kind, subresource: string): string {
  if (isBuiltIn(kind)) {
    return 'Write the object itself: Kubernetes defines which subresources its own kinds have.';
  }
  const tag = tags[subresource];
  return tag === undefined
    ? 'A custom kind can have the subresources status and scale, and no others.'
    : `Add ${tag} to the type, then run npm run manifests and npm run install:crds.`;
}
