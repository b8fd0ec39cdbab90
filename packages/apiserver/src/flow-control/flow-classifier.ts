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
  readonly rule: FlowRule;
  /** Whether it does not matter what the request asks for. */
  readonly isForEverything: boolean;
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
    this.#flows ??= this.#sorted();
    for (const flow of this.#flows) {
      if (!isForSubject(flow.rule, user)) continue;
      if (flow.isForEverything) return flow.classification;
      attributes ??= attributesOf();
      if (ruleMatches(flow.rule, attributes)) return flow.classification;
    }
    return undefined;
  }

  /** The rules of the schemas whose priority level exists, in the order in which they are tried. */
  #sorted(): Flow[] {
    return this.#schemas
      .list()
      .map(({ object }) => object as unknown as FlowSchema & { spec: FlowSchemaSpec })
      .toSorted((one, other) => precedenceOf(one) - precedenceOf(other))
      .flatMap(({ metadata, spec }) => {
        const level = this.#levels.get(spec.priorityLevelConfiguration.name);
        const { uid: flowSchema = '' } = metadata ?? {};
        if (!level) return [];
        const classification = { flowSchema, priorityLevel: level.object.metadata.uid ?? '' };
        return (spec.rules ?? []).map((rule) => ({
          classification,
          rule,
          isForEverything: isForEverything(rule),
        }));
      });
  }
}

/** The list is sorted by name, which decides between schemas of the same precedence. */
function precedenceOf({ spec }: FlowSchema): number {
  return spec?.matchingPrecedence ?? 1000;
}
