import { type JsonObject, isObject } from '../../../json/json-object.ts';

/** What an object says of itself. */
interface Condition extends JsonObject {
  type: string;
  status: string;
}

/**
 * Writes a condition of its type in place of the one before, or behind the others. May change the status.
 *
 * @param now the time of the change, which stays when it is none
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
