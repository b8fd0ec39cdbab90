/** What a real server adds to what is sent, and what differs from run to run. */
const added = new Set(
  'creationTimestamp uid resourceVersion generation managedFields annotations terminationMessagePath terminationMessagePolicy imagePullPolicy protocol restartPolicy dnsPolicy securityContext schedulerName defaultMode lastUpdateTime lastTransitionTime'.split(
    ' ',
  ),
);

/** An object without the defaults of a pod, its keys in order: what a patch made of what was sent. */
export function withoutDefaults(value: any): any {
  if (Array.isArray(value)) return value.map(withoutDefaults);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, item]) => !added.has(key) && !isDefault(key, item) && item !== null)
      .map(([key, item]) => [key, withoutDefaults(item)])
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}

function isDefault(key: string, value: any): boolean {
  if (key === 'resources') return Object.keys(value).length === 0;
  if (key === 'terminationGracePeriodSeconds') return value === 30;
  return key === 'timeoutSeconds' || key === 'periodSeconds' || key.endsWith('Threshold');
}
