const serverSet = new Set([
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'deletionTimestamp',
  'lastTransitionTime',
  'managedFields',
]);

/** A body without what differs from run to run and what only a real server tracks. */
export function normalize(value: any): any {
  if (Array.isArray(value)) return value.map(normalize);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !serverSet.has(key))
      .map(([key, item]) => [key, normalize(item)]),
  );
}

/** A refusal: code, reason, message, and each cause once, in a fixed order. */
export function refusal({ code, body }: { code: number; body: any }): unknown {
  const causes: { field: string; message: string; reason: string }[] = body.details?.causes ?? [];
  const lines = [
    ...new Set(causes.map(({ field, message, reason }) => `${reason} ${field}: ${message}`)),
  ].toSorted();
  // The message lists several errors in any order. The causes contain the same facts.
  const message: string = body.message.replace(/ is invalid: \[.*\]$/s, ' is invalid: …');
  return { code, reason: body.reason, message, ...(lines.length > 0 && { causes: lines }) };
}
