import type { FlowSchema, FlowSchemaSpec } from 'ots-kubernetes/flowcontrol/v1';
import type { UserInfo } from '../authentication/user-info.ts';
import type { Attributes } from '../authorization/attributes.ts';
import type { ResourceRegistry } from '../registry/resource-registry.ts';
import type { Table } from '../storage/table.ts';
import { type FlowRule, isForEverything, isForSubject, ruleMatches } from './rule-matching.ts';

/** The flow schema of a request and its priority level, by their UIDs. */
export interface Classification {
  readonly flowSchema: string;
  readonly priorityLevel: string;
}

interface Flow {
  readonly classification: Classification;
  readonly rules: readonly FlowRule[];
}

/** Finds the FlowSchema that a request belongs to. Nothing is queued or refused. */
export class FlowClassifier {
  readonly #schemas: Table;
  readonly #levels: Table;
  #flows: readonly Flow[] | undefined;

  constructor(registry: ResourceRegistry) {
    const tableOf = (plural: string) => {
      const resource = registry.find('flowcontrol.apiserver.k8s.io', 'v1', plural);
      if (!resource) throw new Error(`the table of built-in resources lacks ${plural}`);
      return resource.table;
    };
    this.#schemas = tableOf('flowschemas');
    this.#levels = tableOf('prioritylevelconfigurations');
    for (const table of [this.#schemas, this.#levels])
      table.subscribers.add('', () => (this.#flows = undefined));
  }

  /**
   * @param attributesOf returns what the request asks for; not called where the user decides alone
   * @returns undefined when no schema matches
   */
  classify(user: UserInfo, attributesOf: () => Attributes): Classification | undefined {
    let attributes: Attributes | undefined;
    for (const { rules, classification } of (this.#flows ??= this.#sorted())) {
      for (const rule of rules) {
        if (!isForSubject(rule, user)) continue;
        if (isForEverything(rule)) return classification;
        attributes ??= attributesOf();
        if (ruleMatches(rule, attributes)) return classification;
      }
    }
    return undefined;
  }

  /** The schemas whose priority level exists, in the order in which they are tried. */
  #sorted(): Flow[] {
    return this.#schemas
      .list()
      .map(({ object }) => object as unknown as FlowSchema & { spec: FlowSchemaSpec })
      .toSorted((one, other) => precedenceOf(one) - precedenceOf(other))
      .flatMap(({ metadata, spec }) => {
        const level = this.#levels.get(spec.priorityLevelConfiguration.name);
        const { uid: flowSchema = '' } = metadata ?? {};
        const priorityLevel = level?.object.metadata.uid ?? '';
        return level ? [{ classification: { flowSchema, priorityLevel }, rules: spec.rules ?? [] }] : [];
      });
  }
}

/** The list is sorted by name, which decides between schemas of the same precedence. */
function precedenceOf({ spec }: FlowSchema): number {
  return spec?.matchingPrecedence ?? 1000;
}
