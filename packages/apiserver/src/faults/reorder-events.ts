/**
 * Puts the events of a watch into another order: those of the object that changed last come first. The events of one object keep
 * their order, and no event passes a bookmark.
 *
 * @param events their JSON texts
 */
export function reorderEvents(events: readonly string[]): string[] {
  const sent: string[] = [];
  const byObject = new Map<string, string[]>();
  const sendCollected = () => {
    sent.push(...[...byObject.values()].toReversed().flat());
    byObject.clear();
  };
  for (const event of events) {
    const key = objectOf(event);
    if (key === undefined) {
      sendCollected();
      sent.push(event);
      continue;
    }
    const earlier = byObject.get(key) ?? [];
    // The last entry of the map is the object that changed last.
    byObject.delete(key);
    byObject.set(key, [...earlier, event]);
  }
  sendCollected();
  return sent;
}

interface ObjectName {
  namespace?: string;
  name?: string;
}

interface SentEvent {
  type: string;
  object: { metadata?: ObjectName; rows?: { object: { metadata?: ObjectName } }[] };
}

/** The object that an event is about; undefined for bookmarks and errors. */
function objectOf(event: string): string | undefined {
  const { type, object } = JSON.parse(event) as SentEvent;
  if (type === 'BOOKMARK' || type === 'ERROR') return undefined;
  // In the form of a table, the object is in its row.
  const { namespace = '', name = '' } = object.rows?.[0]?.object.metadata ?? object.metadata ?? {};
  return `${namespace}/${name}`;
}
