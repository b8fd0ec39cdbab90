const about = { kind: 'Pod', name: 'p', namespace: 'default' };
const time = '2026-01-01T00:00:00.000000Z';
const second = '2026-01-01T00:00:00Z';
const report = { eventTime: time, reportingInstance: 'i', action: 'a', reason: 'r' };

/** Events of the core group, by what is special about them. */
export const coreEventCases: Record<string, any> = {
  nothing: {},
  'about a pod': { involvedObject: about, reason: 'r', message: 'm', type: 'Normal' },
  'about a pod of elsewhere': { involvedObject: { ...about, namespace: 'x' } },
  'about a node': { involvedObject: { kind: 'Node', name: 'n' } },
  'with a time': { involvedObject: about, eventTime: time },
  'with a time and all that it asks for': { involvedObject: about, ...report, reportingComponent: 'a.b/c' },
  'with a time, about a node': {
    involvedObject: { kind: 'Node', name: 'n' },
    ...report,
    reportingComponent: 'a.b/c',
  },
  'too long': {
    involvedObject: { ...about, namespace: 'x' },
    eventTime: time,
    reportingComponent: 'a b',
    reportingInstance: 'i'.repeat(129),
    action: 'a'.repeat(129),
    reason: 'r'.repeat(129),
    message: 'm'.repeat(1025),
  },
  'of any length without a time': { involvedObject: about, message: 'm'.repeat(2000) },
  'of old': {
    involvedObject: about,
    firstTimestamp: second,
    lastTimestamp: second,
    count: 3,
    source: { component: 'c', host: 'h' },
    series: { count: 1, lastObservedTime: time },
    related: about,
  },
  'with a time of seconds': { involvedObject: about, eventTime: second },
};

export const plainEvent = {
  regarding: about,
  ...report,
  reportingController: 'a.b/c',
  type: 'Normal',
  note: 'n',
};

/** Events of events.k8s.io, by what is special about them. */
export const eventCases: Record<string, any> = {
  nothing: {},
  'about a pod': plainEvent,
  'without a time': { ...plainEvent, eventTime: null },
  'of an unknown type': { ...plainEvent, type: 'X' },
  'with what is deprecated': {
    ...plainEvent,
    deprecatedCount: 1,
    deprecatedFirstTimestamp: second,
    deprecatedLastTimestamp: second,
    deprecatedSource: { component: 'c' },
  },
  'a series of one': { ...plainEvent, series: { count: 1, lastObservedTime: null } },
  'a series': { ...plainEvent, series: { count: 2, lastObservedTime: time } },
  'with a long note': { ...plainEvent, note: 'n'.repeat(1025) },
  'about a pod of elsewhere': { ...plainEvent, regarding: { ...about, namespace: 'x' } },
  'about a node': { ...plainEvent, regarding: { kind: 'Node', name: 'n' } },
  'of nobody': { ...plainEvent, reportingController: '', reportingInstance: '', action: '', reason: '' },
  'with a time of seconds': { ...plainEvent, eventTime: second },
};

/** Merge patches of an event, with the field names of both groups. */
export const eventChanges: Record<string, any> = {
  'a reason': { reason: 'x' },
  'a text': { note: 'x', message: 'x' },
  'a type': { type: 'Warning' },
  'what it is about': { regarding: { name: 'q' }, involvedObject: { name: 'q' } },
  'an action': { action: 'x' },
  'what is related': { related: { name: 'x' } },
  'who reports': { reportingController: 'x', reportingComponent: 'x' },
  'which one reports': { reportingInstance: 'x' },
  'the time': { eventTime: '2026-01-01T00:00:01.000000Z' },
  'a count': { deprecatedCount: 2, count: 2 },
  'a source': { deprecatedSource: { component: 'x' }, source: { component: 'x' } },
  'the first time': { deprecatedFirstTimestamp: second, firstTimestamp: second },
  'a series of one': { series: { count: 1 } },
  'a series': { series: { count: 3, lastObservedTime: time } },
  'a label': { metadata: { labels: { a: 'b' } } },
};
