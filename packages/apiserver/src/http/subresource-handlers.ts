import { bindPod } from '../built-in/pods/subresources/bind-pod.ts';
import { completeTokenRequest, requestToken } from '../built-in/core/service-account/request-token.ts';
import { tokenRequestKind } from '../built-in/core/service-account/token-request-strategy.ts';
import { bodyKind } from '../registry/body-kind.ts';
import { completeEviction, evictPod } from '../built-in/pods/subresources/evict-pod.ts';
import { applyScale, getScale, patchScale, replaceScale, scaleKind } from '../registry/scale/scale.ts';
import { badRequest } from '../status/errors.ts';
import { answersTo } from './answer-handlers.ts';
import type { Handlers } from './object-context.ts';
import { objectHandlers } from './object-handlers.ts';
import { presentReply } from './present.ts';
import { json } from './reply.ts';
import { attachHandlers, execHandlers, logHandlers, portForwardHandlers } from './stream-handlers.ts';
import { updateHandlers } from './update-handlers.ts';

/** Creates the handlers of subresources that read or write something other than the object, on first use. */
const makers: Readonly<Record<string, () => Handlers>> = {
  attach: () => attachHandlers,
  binding: () => answersTo(bindPod, { kind: bodyKind('', 'v1', 'Binding'), keepsSystemFields: true }),
  eviction: () =>
    answersTo(evictPod, {
      kind: bodyKind('policy', 'v1', 'Eviction', ['v1beta1']),
      complete: completeEviction,
    }),
  exec: () => execHandlers,
  log: () => logHandlers,
  portforward: () => portForwardHandlers,
  scale: () => ({
    get: async ({ target, presentation }) => presentReply(json(200, await getScale(target)), presentation),
    ...updateHandlers({
      bodyOf: scaleKind,
      // kube-apiserver looks up its error text in a scheme that does not include Scale.
      refusalOf: ({ resource }) =>
        resource.custom
          ? badRequest('no kind is registered for the type v1.Scale in scheme "pkg/runtime/scheme.go:111"')
          : undefined,
      replace: replaceScale,
      patch: patchScale,
      apply: applyScale,
    }),
  }),
  token: () =>
    answersTo(requestToken, {
      kind: tokenRequestKind(),
      keepsSystemFields: true,
      complete: completeTokenRequest,
    }),
};

const made = new Map<string, Handlers>();

/** The handlers of an endpoint below the objects of a resource. */
export function subresourceHandlers(name: string): Handlers {
  const make = Object.hasOwn(makers, name) ? makers[name] : undefined;
  if (!make) return objectHandlers;
  let handlers = made.get(name);
  if (!handlers) made.set(name, (handlers = make()));
  return handlers;
}
