import type { Kind } from 'ots-kubernetes';
import { isBuiltIn } from './is-built-in.ts';

/** What to do when the server does not have a kind: the second half of a sentence. */
export function installHint(kind: Pick<Kind, 'group'>): string {
  if (isBuiltIn(kind))
    return 'this version of Kubernetes does not serve it: use another one, or another apiVersion';
  // Reserved for projects of Kubernetes, such as Gateway API.
  if (/(^|\.)k8s\.io$/.test(kind.group)) return 'install the project that it belongs to';
  return 'run npm run install:crds, or install the project that it belongs to';
}
