import { escapeProperty } from '../escape-property.ts';
import { type SchemaType, schemaType } from '../schema/schema-type.ts';
import { type StructuralSchema, valuesOf } from '../schema/structural-schema.ts';

/** A node of a schema, with what its rules need to know of its position. */
export interface RuleNode {
  readonly schema: StructuralSchema;
  /** The keys from the root of the schema. */
  readonly path: readonly string[];
  readonly parent?: RuleNode;
  /** How often it can occur in an object; undefined when an enclosing list or map has no bound. */
  readonly cardinality: bigint | undefined;
  /** The enclosing list whose items cannot be correlated with old ones. */
  readonly uncorrelated?: RuleNode;
  /** Whether rules of it or of an enclosing node see it. */
  readonly inScope: boolean;
  /** Finds it in the parent's type. */
  readonly inParent: (parent: SchemaType) => SchemaType | undefined;
}

/** The nodes of a schema: the root, properties, items and values. */
export function* ruleNodes(schema: StructuralSchema): Generator<RuleNode> {
  yield* withChildren({
    schema,
    path: [],
    cardinality: 1n,
    inScope: hasRules(schema),
    inParent: () => undefined,
  });
}

function* withChildren(node: RuleNode): Generator<RuleNode> {
  yield node;
  const { schema } = node;
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const escaped = escapeProperty(name);
    yield* withChildren(
      child(node, property, ['properties', name], (parent) => parent.fields?.get(escaped ?? '')),
    );
  }
  if (schema.items) yield* withChildren(child(node, schema.items, ['items'], (parent) => parent.elements));
  const values = valuesOf(schema);
  if (values) yield* withChildren(child(node, values, ['additionalProperties'], (parent) => parent.elements));
}

function child(
  parent: RuleNode,
  schema: StructuralSchema,
  keys: readonly string[],
  inParent: RuleNode['inParent'],
): RuleNode {
  const factor = maxElements(parent.schema);
  // Only the items of a list with keys can be correlated across an update.
  const loses = keys[0] === 'items' && parent.schema['x-kubernetes-list-type'] !== 'map';
  const uncorrelated = parent.uncorrelated ?? (loses ? parent : undefined);
  return {
    schema,
    path: [...parent.path, ...keys],
    parent,
    cardinality:
      parent.cardinality === undefined || factor === undefined ? undefined : parent.cardinality * factor,
    ...(uncorrelated && { uncorrelated }),
    inScope: parent.inScope || hasRules(schema),
    inParent,
  };
}

/** How often a child of the node can occur in it. */
function maxElements(schema: StructuralSchema): bigint | undefined {
  const unlimited =
    schema.type === 'array' || (schema.type === 'object' && schema.additionalProperties !== undefined);
  if (!unlimited) return 1n;
  const limit = schema.type === 'array' ? schema.maxItems : schema.maxProperties;
  return limit === undefined ? undefined : BigInt(Math.max(0, Math.trunc(limit)));
}

function hasRules(schema: StructuralSchema): boolean {
  return (schema['x-kubernetes-validations']?.length ?? 0) > 0;
}

/** The missing keyword that would bound the number of the node's children. */
export function missingBound(schema: StructuralSchema): 'maxItems' | 'maxProperties' | undefined {
  if (maxElements(schema) !== undefined) return undefined;
  return schema.type === 'array' ? 'maxItems' : 'maxProperties';
}

/** Computes the types of nodes in rules, each once. */
export class NodeTypes {
  readonly #types = new Map<RuleNode, SchemaType | undefined>();

  /** The node's type for its own or enclosing rules; undefined when they do not see it. */
  of(node: RuleNode): SchemaType | undefined {
    if (!this.#types.has(node)) this.#types.set(node, this.#compute(node));
    return this.#types.get(node);
  }

  /** Below a node with rules it is the part of that node's type, so `metadata` of a resource is the same for all. */
  #compute(node: RuleNode): SchemaType | undefined {
    const parent = node.parent?.inScope ? this.of(node.parent) : undefined;
    const seen = parent && node.inParent(parent);
    return (
      seen ??
      schemaType(
        node.schema,
        !node.parent || node.schema['x-kubernetes-embedded-resource'] === true,
        'selfType1',
      )
    );
  }
}
