import type { TSClassImplements } from 'oxc-parser';
import { defaultWebhookPath } from '../../project/names/webhook-path.ts';
import type { Diagnostics } from '../diagnostics/diagnostics.ts';
import { isJsonObject } from '../schema/schema.ts';
import type { ClassDeclaration } from '../source/module.ts';
import type { ModuleGraph } from '../source/module-graph.ts';
import type { Span } from '../source/source-text.ts';
import type { Arguments } from '../tag-syntax/parse-arguments.ts';
import { writtenName } from '../tag-syntax/tag.ts';
import type { Tag } from '../tag-syntax/tag.ts';
import { kindOf } from './handled-kind.ts';
import type { HandledKind, Problem } from './handled-kind.ts';
import { requiredArguments } from './webhook-arguments.ts';

/** Where to look up the arguments that a tag leaves out. */
export interface Handlers {
  readonly classes: readonly ClassDeclaration[];
  readonly graph: ModuleGraph;
  /** The project's domain. */
  readonly domain: string | undefined;
}

/** The clause of a class that says what its webhook does. */
interface Handler {
  readonly mutating: boolean;
  readonly clause: TSClassImplements;
}

type Report = (problem: Problem, span?: Span) => undefined;

/** The interfaces of ots-runtime that handlers implement. */
const webhookRoles = [
  { name: 'Defaulter', mutating: true },
  { name: 'Validator', mutating: false },
] as const;

/**
 * Adds the arguments that the tag leaves out and the class below it supplies. `implements
 * Validator<JobWatcher>` says whether the webhook is mutating and what the group, version and resource of the
 * kind are. The path and the name follow from these. The default verbs are those of a new scaffold, create
 * and update.
 * @returns undefined after errors, which are in the diagnostics
 */
export function completeArguments(
  stated: Arguments,
  tag: Tag,
  handlers: Handlers,
  diagnostics: Diagnostics,
): Arguments | undefined {
  const missing: string[] = requiredArguments.filter((name) => !stated.has(name));
  if (!hasAddress(stated)) missing.push('path');
  if (missing.length === 0) return stated;
  const declaration = handlers.classes.find(({ doc }) => doc.tags.includes(tag));
  const handler = findHandler(declaration, stated.boolean('mutating'), handlers.graph);
  // If only the path is missing, the check of the webhook reports it.
  if (!handler && missing.join() === 'path') return stated;
  const report: Report = (problem, span = tag.span) => {
    diagnostics.error(tag.source, span, 'webhook', problem.message, problem.hint);
    return undefined;
  };
  if (!handler || 'message' in handler)
    return report(handler ?? missingHandler(missing, tag, stated.boolean('mutating'), declaration));
  const { mutating, clause } = handler;
  const byRole = stated.withDefaults({ mutating, verbs: ['CREATE', 'UPDATE'] });
  const ofKind = missing.filter((name) => !byRole.has(name));
  if (ofKind.length === 0) return byRole;
  const kind = kindOf(clause, declaration!.module, handlers.graph);
  if (kind === undefined) return undefined;
  if ('message' in kind) {
    const hint = [...(kind.hint ? [kind.hint] : []), write(ofKind)].join(', or ');
    return report({ message: kind.message, hint }, spanOf(clause.typeArguments?.params[0] ?? clause));
  }
  const name = webhookName(mutating, kind, handlers.domain);
  if (name === undefined && ofKind.includes('name')) {
    const hint = 'add name=…, such as name=vpod-v1.core.example.com';
    return report({ message: `${writtenName(tag)}: name is missing`, hint });
  }
  const path = defaultWebhookPath(mutating ? 'defaulting' : 'validation', { ...kind, domain: '' });
  return byRole.withDefaults({
    ...(name !== undefined && { name }),
    ...(ofKind.includes('path') && { path }),
    groups: [kind.group],
    versions: [kind.version],
    resources: [kind.plural],
  });
}

const write = (names: readonly string[]) => `write ${names.join('=…, ')}=… in the tag`;
const list = (names: readonly string[]) => new Intl.ListFormat('en-US').format(names);

/** Returns whether the tag says where the API server calls the webhook. */
function hasAddress(stated: Arguments): boolean {
  const patch = stated.json('patch');
  return stated.has('path') || stated.has('url') || (isJsonObject(patch) && 'clientConfig' in patch);
}

/** Returns the clause of a class that says what its webhook does, or undefined if the class has none. */
function findHandler(
  declaration: ClassDeclaration | undefined,
  mutating: boolean | undefined,
  graph: ModuleGraph,
): Handler | Problem | undefined {
  if (!declaration) return undefined;
  const implemented = interfacesOf(declaration, graph);
  const [handler, another] = implemented.filter(
    (each) => mutating === undefined || each.mutating === mutating,
  );
  if (!another) return handler;
  return {
    message: `${nameOf(declaration)} implements both Defaulter and Validator`,
    hint: 'add mutating=true or mutating=false',
  };
}

function missingHandler(
  missing: readonly string[],
  tag: Tag,
  mutating: boolean | undefined,
  declaration: ClassDeclaration | undefined,
): Problem {
  const names = missing.filter((name) => name !== 'path');
  const are = names.length === 1 ? 'is' : 'are';
  const roles = webhookRoles.filter((role) => mutating === undefined || role.mutating === mutating);
  const wanted = roles.map(({ name }) => `${name}<Kind>`).join(' or ');
  const instead = declaration
    ? `let ${nameOf(declaration)} implement ${wanted}`
    : `put the tag above a class that implements ${wanted}`;
  return {
    message: `${writtenName(tag)}: ${list(names)} ${are} missing`,
    hint: `${instead}, or ${write(missing)}`,
  };
}

const nameOf = ({ name }: ClassDeclaration) => name ?? 'the class';

/** Returns the interfaces of ots-runtime in the `implements` clause of a class. */
function interfacesOf({ module, implements: clauses }: ClassDeclaration, graph: ModuleGraph): Handler[] {
  return clauses.flatMap((clause) => {
    const { start, end } = clause.expression;
    const resolution = graph.resolve(module, module.source.text.slice(start, end));
    if (resolution.kind !== 'package' || resolution.specifier !== 'ots-runtime') return [];
    const role = webhookRoles.find(({ name }) => name === resolution.name);
    return role ? [{ mutating: role.mutating, clause }] : [];
  });
}

const spanOf = ({ start, end }: Span): Span => ({ start, end });

/**
 * Returns the name of a webhook, which is unique in the cluster and has the three labels that the API server
 * requires. Groups of built-in kinds are the same in every project, so the project's domain is appended to
 * them.
 */
function webhookName(mutating: boolean, kind: HandledKind, domain: string | undefined): string | undefined {
  const { group, version } = kind;
  if (kind.isBuiltIn && domain === undefined) return undefined;
  const suffix = kind.isBuiltIn ? `${group.split('.')[0] || 'core'}.${domain}` : group;
  return `${mutating ? 'm' : 'v'}${kind.kind.toLowerCase()}-${version}.${suffix}`;
}
