import type { CreatedObject } from 'ots-cel';
import type { MutatingAdmissionPolicySpec, Mutation } from 'ots-kubernetes/admissionregistration/v1';
import { cel } from '../../crd/rules/cel.ts';
import { DecodeError } from '../../decoding/decode-error.ts';
import { StrictErrors } from '../../decoding/strict-errors.ts';
import {
  type Expression,
  OutOfBudgetError,
  evaluateExpression,
} from '../../expressions/evaluate-expressions.ts';
import { type ExpressionInput, ExpressionScope } from '../../expressions/expression-scope.ts';
import type { ApiObject } from '../../json/api-object.ts';
import { exactInteger } from '../../json/exact-integer.ts';
import { type JsonObject, isObject } from '../../json/json-object.ts';
import { rebuildJson } from '../../json/rebuild-json.ts';
import { JsonPatchError, JsonPatchTestError, applyJsonPatch } from '../../patch/json-patch.ts';
import { decodeObjectOf } from '../../registry/decode-object.ts';
import type { Resource } from '../../registry/resource.ts';
import { unstructured, unstructuredJson } from '../../registry/unstructured.ts';
import { internalError } from '../../status/errors.ts';
import { applyConfiguration } from './apply-configuration.ts';
import { type CompiledPolicy, compilePolicy, policyBudget } from './compile-policy.ts';
import { MutationError } from './mutation-error.ts';

/** What a mutation needs to know of a request. */
type MutationInput = ExpressionInput & { readonly object: ApiObject };

/** The compiled expressions of a MutatingAdmissionPolicy. */
export class Mutator {
  readonly policy: CompiledPolicy;
  /** Applied one after the other. */
  readonly mutations: readonly CompiledMutation[];

  constructor(spec: MutatingAdmissionPolicySpec) {
    this.policy = compilePolicy(spec);
    this.mutations = (spec.mutations ?? []).map((mutation) => new CompiledMutation(mutation, this.policy));
  }
}

/** A mutation of a policy. */
class CompiledMutation {
  readonly #policy: CompiledPolicy;
  readonly #expression: Expression;
  readonly #isPatch: boolean;

  constructor({ patchType, jsonPatch, applyConfiguration: configuration }: Mutation, policy: CompiledPolicy) {
    this.#policy = policy;
    this.#isPatch = patchType === 'JSONPatch';
    const text = (this.#isPatch ? jsonPatch : configuration)?.expression ?? '';
    const result = this.#isPatch ? 'patches' : 'object';
    this.#expression = { text, compiled: policy.compiler.compile(text, result, { createsObjects: true }) };
  }

  /**
   * Changes the object of a request.
   *
   * @returns the changed object with defaults
   * @throws {MutationError}
   * @throws {StatusError} 500 when a patch makes it an object that cannot be read
   */
  apply(input: MutationInput): ApiObject {
    const { object, kind } = input;
    const value = this.#evaluate(input);
    const changed = this.#isPatch
      ? patchObject(input, operationsOf(value))
      : decode(kind, applyConfiguration(object, kind, configurationOf(value)), new StrictErrors());
    checkVersion(input);
    return changed;
  }

  #evaluate(input: MutationInput): unknown {
    const { compiled } = this.#expression;
    if ('error' in compiled) throw new MutationError(compiled.error);
    const scope = new ExpressionScope(input, this.#policy.variables);
    try {
      const evaluated = evaluateExpression(this.#expression, scope, { left: policyBudget });
      if ('error' in evaluated) throw new MutationError(evaluated.error);
      return evaluated.value;
    } catch (error) {
      if (error instanceof OutOfBudgetError) throw new MutationError(error.message, { cause: error });
      throw error;
    }
  }
}

function configurationOf(value: unknown): JsonObject {
  const { CreatedObject: Created } = cel();
  if (!(value instanceof Created))
    throw new MutationError('unsupported return type from ApplyConfiguration expression');
  checkTypes(value, 'Object');
  const json = jsonOf(value);
  return isObject(json) ? json : {};
}

/** Types are not checked when the policy is written: their names must fit the fields that they are in. */
function checkTypes(value: CreatedObject, root: string): void {
  const misplaced = cel().misplacedTypes(value, root);
  if (misplaced.length > 0) throw new MutationError(`type mismatch: ${misplaced.join('\n')}`);
}

function jsonOf(value: unknown): unknown {
  const { CelEvaluationError, createdJson } = cel();
  const json = createdJson(value as Parameters<typeof createdJson>[0]);
  if (json instanceof CelEvaluationError) throw new MutationError(json.message);
  return rebuildJson(json, (part) => (typeof part === 'bigint' ? exactInteger(part) : part));
}

function operationsOf(value: unknown): JsonObject[] {
  const { CreatedObject: Created } = cel();
  const operations: JsonObject[] = [];
  for (const operation of value as Iterable<unknown>) {
    if (!(operation instanceof Created))
      throw new MutationError(
        'type mismatch: JSONPatchType.expression should evaluate to array of JSONPatch',
      );
    const patched = operation.fields.get('value');
    if (patched instanceof Created) checkTypes(patched, patched.typeName);
    const json = jsonOf(operation);
    // A missing text is empty, like the field of a struct in Go.
    if (isObject(json)) operations.push({ op: '', path: '', ...json });
  }
  return operations;
}

function patchObject({ object, kind }: MutationInput, operations: readonly JsonObject[]): ApiObject {
  try {
    const patched = applyJsonPatch(unstructuredJson(object), operations);
    if (!isObject(patched)) throw new JsonPatchError('the patch replaced the object with another value');
    const strict = new StrictErrors();
    const decoded = decode(kind, patched, strict);
    if (strict.messages.length > 0)
      throw internalError(`strict decoding error: ${strict.messages.join(', ')}`);
    return decoded;
  } catch (error) {
    // The patch says that it is not for this object.
    if (error instanceof JsonPatchTestError) return object;
    if (error instanceof JsonPatchError)
      throw new MutationError(`JSON Patch: ${error.message}`, { cause: error });
    throw error;
  }
}

/** Like kube-apiserver, which cannot convert a changed object of a built-in kind back to the version of the request. */
function checkVersion({ kind, attributes: { kind: wanted } }: MutationInput): void {
  if (kind === wanted || kind.custom) return;
  const [from, to] = [kind, wanted].map((one) => `(${one.version}.${one.kind})`);
  throw new MutationError(`converting ${from} to ${to}: unknown conversion`);
}

/** A custom resource is decoded when it is stored. */
function decode(kind: Resource, value: JsonObject, strict: StrictErrors): ApiObject {
  if (kind.custom) {
    const changed = unstructured(kind, value);
    kind.strategy.setDefaults(changed);
    return changed;
  }
  try {
    return decodeObjectOf(kind, value, strict);
  } catch (error) {
    if (error instanceof DecodeError) throw internalError(error.message);
    throw error;
  }
}
