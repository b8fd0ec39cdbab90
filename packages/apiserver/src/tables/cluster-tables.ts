import type { JsonObject } from '../json/json-object.ts';
import { at, listAt, numberAt, objectAt, textAt } from '../json/value-at.ts';
import { ageAt, ageOf, conditionOf, nameOf } from './common-cells.ts';
import { humanDuration } from 'ots-apimachinery/human-duration';
import { type TableKind, columnsOf } from './table-kind.ts';

const rolePrefix = 'node-role.kubernetes.io/';

/** The table of a kind without columns of its own. */
export const plainTable: TableKind = {
  columns: columnsOf('Name:name, Created At:date'),
  cells: (object) => [nameOf(object), textAt(object, 'metadata', 'creationTimestamp')],
};

export const nameAndAgeTable: TableKind = {
  columns: columnsOf('Name:name, Age'),
  cells: (object, now) => [nameOf(object), ageOf(object, now)],
};

export const namespaceTable: TableKind = {
  columns: columnsOf('Name:name, Status, Age'),
  cells: (object, now) => [nameOf(object), textAt(object, 'status', 'phase'), ageOf(object, now)],
};

// Kubernetes declares string columns for these two numbers.
export const configMapTable: TableKind = {
  columns: columnsOf('Name:name, Data, Age'),
  cells: (object, now) => [
    nameOf(object),
    keys(object, 'data') + keys(object, 'binaryData'),
    ageOf(object, now),
  ],
};

export const secretTable: TableKind = {
  columns: columnsOf('Name:name, Type, Data, Age'),
  cells: (object, now) => [nameOf(object), textAt(object, 'type'), keys(object, 'data'), ageOf(object, now)],
};

export const nodeTable: TableKind = {
  columns: columnsOf(
    'Name:name, Status, Roles, Age, Version, Internal-IP+, External-IP+, OS-Image+, Kernel-Version+, Container-Runtime+',
  ),
  cells(object, now) {
    const info = objectAt(object, 'status', 'nodeInfo');
    const architecture = textAt(info, 'architecture');
    return [
      nameOf(object),
      nodeStatus(object),
      nodeRoles(object).join(',') || '<none>',
      ageOf(object, now),
      textAt(info, 'kubeletVersion'),
      addressOf(object, 'InternalIP'),
      addressOf(object, 'ExternalIP'),
      textAt(info, 'osImage') || '<unknown>',
      `${textAt(info, 'kernelVersion') || '<unknown>'}${architecture === '' ? '' : ` (${architecture})`}`,
      textAt(info, 'containerRuntimeVersion') || '<unknown>',
    ];
  },
};

export const eventTable: TableKind = {
  columns: columnsOf(
    'Last Seen, Type, Reason, Object, Subobject+, Source+, Message, First Seen+, Count+, Name:name+',
  ),
  cells(object, now) {
    const regarding = at(object, 'involvedObject') ?? at(object, 'regarding');
    const name = textAt(regarding, 'name');
    const first = firstSeen(object, now);
    const series = at(object, 'series');
    return [
      series === undefined ? lastSeen(object, now, first) : ageAt(now, series, 'lastObservedTime'),
      textAt(object, 'type'),
      textAt(object, 'reason'),
      `${textAt(regarding, 'kind').toLowerCase()}${name === '' ? '' : `/${name}`}`,
      textAt(regarding, 'fieldPath'),
      eventSource(object),
      (textAt(object, 'message') || textAt(object, 'note')).trim(),
      first,
      numberAt(series, 'count') || numberAt(object, 'count') || numberAt(object, 'deprecatedCount') || 1,
      nameOf(object),
    ];
  },
};

export const leaseTable: TableKind = {
  columns: columnsOf('Name:name, Holder, Age'),
  cells: (object, now) => [nameOf(object), textAt(object, 'spec', 'holderIdentity'), ageOf(object, now)],
};

export const certificateSigningRequestTable: TableKind = {
  columns: columnsOf('Name:name, Age, SignerName, Requestor, RequestedDuration, Condition'),
  cells(object, now) {
    const seconds = at(object, 'spec', 'expirationSeconds');
    return [
      nameOf(object),
      ageOf(object, now),
      textAt(object, 'spec', 'signerName') || '<none>',
      textAt(object, 'spec', 'username'),
      typeof seconds === 'number' ? humanDuration(seconds * 1000) : '<none>',
      certificateState(object),
    ];
  },
};

/** Role bindings, of both scopes. */
export const bindingTable: TableKind = {
  columns: columnsOf('Name:name, Role, Age, Users+, Groups+, ServiceAccounts+'),
  cells(object, now) {
    const subjects = listAt(object, 'subjects');
    const named = (kind: string) =>
      subjects
        .filter((subject) => textAt(subject, 'kind') === kind)
        .map((subject) =>
          kind === 'ServiceAccount'
            ? `${textAt(subject, 'namespace')}/${textAt(subject, 'name')}`
            : textAt(subject, 'name'),
        )
        .join(', ');
    return [
      nameOf(object),
      `${textAt(object, 'roleRef', 'kind')}/${textAt(object, 'roleRef', 'name')}`,
      ageOf(object, now),
      named('User'),
      named('Group'),
      named('ServiceAccount'),
    ];
  },
};

export const runtimeClassTable: TableKind = {
  columns: columnsOf('Name:name, Handler, Age'),
  cells: (object, now) => [nameOf(object), textAt(object, 'handler'), ageOf(object, now)],
};

export const controllerRevisionTable: TableKind = {
  columns: columnsOf('Name:name, Controller, Revision, Age'),
  cells(object, now) {
    const owner = listAt(object, 'metadata', 'ownerReferences').find(
      (reference) => at(reference, 'controller') === true,
    );
    const [group] = textAt(owner, 'apiVersion').split('/').slice(0, -1);
    const kind = `${textAt(owner, 'kind').toLowerCase()}${group === undefined ? '' : `.${group}`}`;
    return [
      nameOf(object),
      owner === undefined ? '<none>' : `${kind}/${textAt(owner, 'name')}`,
      numberAt(object, 'revision'),
      ageOf(object, now),
    ];
  },
};

/** The state of a certificate request: a denial takes precedence over an approval. */
function certificateState(request: JsonObject): string {
  const types = new Set(
    listAt(request, 'status', 'conditions').map((condition) => textAt(condition, 'type')),
  );
  const decision = ['Denied', 'Approved'].find((type) => types.has(type)) ?? 'Pending';
  const failed = types.has('Failed') ? ',Failed' : '';
  return `${decision}${failed}${textAt(request, 'status', 'certificate') === '' ? '' : ',Issued'}`;
}

function keys(object: JsonObject, field: string): number {
  return Object.keys(objectAt(object, field)).length;
}

function nodeStatus(node: JsonObject): string {
  const ready = conditionOf(node, 'Ready');
  const status = ready === '' ? 'Unknown' : ready === 'True' ? 'Ready' : 'NotReady';
  return at(node, 'spec', 'unschedulable') === true ? `${status},SchedulingDisabled` : status;
}

function nodeRoles(node: JsonObject): string[] {
  const roles = Object.entries(objectAt(node, 'metadata', 'labels')).map(([key, value]) =>
    key.startsWith(rolePrefix)
      ? key.slice(rolePrefix.length)
      : key === 'kubernetes.io/role'
        ? String(value)
        : '',
  );
  return [...new Set(roles.filter((role) => role !== ''))].toSorted();
}

function addressOf(node: JsonObject, type: string): string {
  const found = listAt(node, 'status', 'addresses').find((address) => textAt(address, 'type') === type);
  return found === undefined ? '<none>' : textAt(found, 'address');
}

function firstSeen(event: JsonObject, now: number): string {
  const field = ['firstTimestamp', 'deprecatedFirstTimestamp'].find((name) => textAt(event, name) !== '');
  return ageAt(now, event, field ?? 'eventTime');
}

function lastSeen(event: JsonObject, now: number, first: string): string {
  const field = ['lastTimestamp', 'deprecatedLastTimestamp'].find((name) => textAt(event, name) !== '');
  return field === undefined ? first : ageAt(now, event, field);
}

function eventSource(event: JsonObject): string {
  const source = at(event, 'source') ?? at(event, 'deprecatedSource');
  const controller = textAt(event, 'reportingComponent') || textAt(event, 'reportingController');
  const component = textAt(source, 'component') || controller;
  const instance = textAt(source, 'host') || textAt(event, 'reportingInstance');
  return instance === '' ? component : `${component}, ${instance}`;
}
