import { type CallExpression, type Expression, type NewExpression, Visitor } from 'oxc-parser';
import type { HandledKind } from '../../manifests/webhook/handled-kind.ts';
import { kindOfArgument } from './kind-of.ts';
import type { ParsedModule, Sources } from './sources.ts';

/** What a call of the operator needs. */
export interface UsedRight {
  readonly parsed: ParsedModule;
  /** The offset of the call's name. */
  readonly offset: number;
  /** As the author wrote it, such as `client.apply(Deployment)`. */
  readonly call: string;
  readonly group: string;
  /** With its subresource, such as `deployments/status`. */
  readonly resource: string;
  readonly verbs: readonly string[];
  /** Verbs that do as well as all of `verbs`: a read without a cache needs only `get`. */
  readonly instead?: readonly string[];
  /** The class around the call; undefined outside of classes. */
  readonly className: string | undefined;
}

type Needs = Pick<UsedRight, 'verbs' | 'instead'>;

const cached: Needs = { verbs: ['list', 'watch'] };

/**
 * The methods of clients, caches and builders that take a kind first. A read by a client with a cache needs `list` and `watch`, one from
 * the server its own verb. An apply that creates the object also needs `create`.
 */
const methods: Readonly<Record<string, Needs>> = {
  get: { ...cached, instead: ['get'] },
  getOrThrow: { ...cached, instead: ['get'] },
  list: { ...cached, instead: ['list'] },
  items: { ...cached, instead: ['list'] },
  create: { verbs: ['create'] },
  update: { verbs: ['update'] },
  patch: { verbs: ['patch'] },
  apply: { verbs: ['create', 'patch'] },
  delete: { verbs: ['delete'] },
  deleteCollection: { verbs: ['deletecollection'] },
  for: cached,
  owns: cached,
  watches: cached,
  references: cached,
  informer: cached,
  addIndex: cached,
};

/** The functions of ots-runtime that take a kind second. */
const functions: Readonly<Record<string, Needs>> = {
  createOrPatch: { verbs: ['create', 'patch'] },
  createOrUpdate: { verbs: ['create', 'update'] },
  ensureFinalizer: { verbs: ['patch'] },
  dropFinalizer: { verbs: ['patch'] },
  kindSource: cached,
};

/** The methods of `client.status` and the other subresources, which never read from a cache. */
const subresourceVerbs: Readonly<Record<string, readonly string[]>> = {
  get: ['get'],
  create: ['create'],
  update: ['update'],
  patch: ['patch'],
  apply: ['patch'],
};

/** Events are written without a kind. */
const events = { group: 'events.k8s.io', resource: 'events', verbs: ['create', 'patch'] } as const;

/** Finds what the calls of a module need, as far as their kinds are known before the program runs. */
export function usedRights(parsed: ParsedModule, sources: Sources): UsedRight[] {
  const { module, program } = parsed;
  const found: UsedRight[] = [];
  const classes: { name: string; start: number; end: number }[] = [];
  const add = (offset: number, right: Omit<UsedRight, 'parsed' | 'offset' | 'className'>): void => {
    const around = classes.find(({ start, end }) => start <= offset && offset < end);
    found.push({ parsed, offset, className: around?.name, ...right });
  };
  const kindOf = (call: CallExpression | NewExpression, index: number): HandledKind | undefined =>
    kindOfArgument(call.arguments[index], module, sources.graph);
  new Visitor({
    ClassDeclaration({ id, start, end }) {
      if (id) classes.push({ name: id.name, start, end });
    },
    CallExpression(call) {
      const { callee } = call;
      if (callee.type === 'Identifier' && Object.hasOwn(functions, callee.name)) {
        const kind = kindOf(call, 1);
        const needs = functions[callee.name]!;
        if (kind) add(callee.start, { call: `${callee.name}(${kind.kind})`, ...needs, ...resourceOf(kind) });
      }
      if (callee.type !== 'MemberExpression' || callee.computed || callee.property.type !== 'Identifier')
        return;
      const { name, start } = callee.property;
      if (name === 'eventRecorder') add(start, { call: 'eventRecorder', ...events });
      const kind = kindOf(call, 0);
      if (!kind) return;
      const subresource = subresourceIn(callee.object);
      const needs = needsOf(name, subresource);
      if (!needs) return;
      const prefix = subresource === undefined ? '' : `${subresource}.`;
      add(start, { call: `${prefix}${name}(${kind.kind})`, ...needs, ...resourceOf(kind, subresource) });
    },
    NewExpression(call) {
      if (call.callee.type !== 'Identifier' || call.callee.name !== 'Finalizers') return;
      const kind = kindOf(call, 1);
      if (kind)
        add(call.start, { call: `new Finalizers(${kind.kind})`, verbs: ['patch'], ...resourceOf(kind) });
    },
  }).visit(program);
  return found;
}

function needsOf(method: string, subresource: string | undefined): Needs | undefined {
  if (subresource === undefined) return Object.hasOwn(methods, method) ? methods[method] : undefined;
  return Object.hasOwn(subresourceVerbs, method) ? { verbs: subresourceVerbs[method]! } : undefined;
}

function resourceOf(
  { group, plural }: HandledKind,
  subresource?: string,
): { group: string; resource: string } {
  return { group, resource: subresource === undefined ? plural : `${plural}/${subresource}` };
}

/** `status` of `client.status`, `x` of `client.subresource('x')`. */
function subresourceIn(receiver: Expression): string | undefined {
  if (receiver.type === 'MemberExpression' && !receiver.computed && receiver.property.type === 'Identifier') {
    const { name } = receiver.property;
    return name === 'status' || name === 'scale' ? name : undefined;
  }
  if (receiver.type !== 'CallExpression' || receiver.callee.type !== 'MemberExpression') return undefined;
  const { callee, arguments: given } = receiver;
  const isCall =
    !callee.computed && callee.property.type === 'Identifier' && callee.property.name === 'subresource';
  const [name] = given;
  return isCall && name?.type === 'Literal' && typeof name.value === 'string' ? name.value : undefined;
}
