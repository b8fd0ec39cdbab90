import { type JsonObject, isObject } from '../../../json/json-object.ts';

/** A condition of an object's status. */
interface Condition extends JsonObject {
  type: string;
  status: string;
}

/**
 * Replaces the condition of the same type, or appends it. May change the status.
 *
 * @param now the transition time, unless the status of the condition stays the same
 */
export function setCondition(status: JsonObject, condition: Condition, now: string): void {
  const conditions = Array.isArray(status['conditions']) ? (status['conditions'] as unknown[]) : [];
  const index = conditions.findIndex((known) => isObject(known) && known['type'] === condition.type);
  const before = conditions[index];
  const isSame = isObject(before) && before['status'] === condition.status;
  const { type, status: value, ...rest } = condition;
  const written = {
    type,
    status: value,
    lastTransitionTime: isSame ? before['lastTransitionTime'] : now,
    ...rest,
  };
  status['conditions'] = index === -1 ? [...conditions, written] : conditions.with(index, written);
}
