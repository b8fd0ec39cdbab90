const serverSet = new Set([
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'deletionTimestamp',
  'lastTransitionTime',
  'managedFields',
]);

/** A body without what differs from run to run, and without what only a real server tracks. */
export function normalize(value: any): any {
  if (Array.isArray(value)) return value.map(normalize);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !serverSet.has(key))
      .map(([key, item]) => [key, normalize(item)]),
  );
}

/** What a refusal says: code, reason and message, and its causes in a fixed order, each once. */
export function refusal({ code, body }: { code: number; body: any }): unknown {
  const causes: { field: string; message: string; reason: string }[] = body.details?.causes ?? [];
  const lines = [
    ...new Set(causes.map(({ field, message, reason }) => `${reason} ${field}: ${message}`)),
  ].toSorted();
  // The message of several errors lists them in any order: the causes say the same.
  const message: string = body.message.replace(/ is invalid: \[.*\]$/s, ' is invalid: …');
  return { code, reason: body.reason, message, ...(lines.length > 0 && { causes: lines }) };
}
