/** A value without the parts of messages that differ from run to run: uids, resource versions and times. */
export function masked<T>(value: T): T {
  const text = JSON.stringify(value)
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uid>')
    .replaceAll(/(resourceVersion\\+":\\+")\d+/g, '$1<revision>')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, '<time>')
    .replaceAll(/(ResourceVersion in object meta: |ResourceVersion in record \()\d+/g, '$1<revision>');
  return JSON.parse(text) as T;
}
