import type { Event } from 'ots-kubernetes/core/v1';
import { qualifiedName, subdomain } from 'ots-apimachinery/names';
import { jsonEqual } from '../../../json/json-equal.ts';
import { type FieldError, invalid, required } from '../../../status/field-error.ts';
import { errorsOfRule } from '../../validation/errors-of-rule.ts';

const limits = { reportingInstance: 128, action: 128, reason: 128, message: 1024 } as const;

/** Validates an event of either version, by the field names of the core version. */
export function validateLegacyEvent(event: Event, controllerField: string): FieldError[] {
  const { eventTime, metadata } = event;
  return [
    ...validateNamespace(event),
    ...(eventTime ? validateReport(event, controllerField) : []),
    ...errorsOfRule('namespace', metadata.namespace ?? '', subdomain),
  ];
}

/** Validates a new event of events.k8s.io. */
export function validateEvent(event: Event): FieldError[] {
  const unset: [string, boolean][] = [
    ['firstTimestamp', Boolean(event.firstTimestamp)],
    ['lastTimestamp', Boolean(event.lastTimestamp)],
    ['count', Boolean(event.count)],
    ['source', Boolean(event.source?.component || event.source?.host)],
  ];
  const { type = '' } = event;
  return [
    ...validateLegacyEvent(event, 'reportingController'),
    ...validateSeries(event),
    ...(event.eventTime ? [] : [required('eventTime')]),
    ...(type === 'Normal' || type === 'Warning' ? [] : [invalid('type', '', `has invalid value: ${type}`)]),
    ...unset.filter(([, isSet]) => isSet).map(([field]) => invalid(field, '', 'needs to be unset')),
  ];
}

/** Validates an update of an events.k8s.io event: only its series may change. */
export function validateEventUpdate(event: Event, old: Event): FieldError[] {
  const texts = ['reason', 'message', 'type', 'action', 'reportingInstance'] as const;
  const fixed: [string, unknown, unknown][] = [
    ['involvedObject', internalReference(event.involvedObject), internalReference(old.involvedObject)],
    ['source', internalSource(event), internalSource(old)],
    ['firstTimestamp', event.firstTimestamp ?? null, old.firstTimestamp ?? null],
    ['lastTimestamp', event.lastTimestamp ?? null, old.lastTimestamp ?? null],
    ['count', event.count ?? 0, old.count ?? 0],
    ['eventTime', event.eventTime ?? null, old.eventTime ?? null],
    [
      'related',
      event.related ? internalReference(event.related) : null,
      old.related ? internalReference(old.related) : null,
    ],
    ['reportingController', event.reportingComponent ?? '', old.reportingComponent ?? ''],
    ...texts.map((field): [string, string, string] => [field, event[field] ?? '', old[field] ?? '']),
  ];
  return [
    ...validateLegacyEvent(event, 'reportingController'),
    ...(jsonEqual(event.series, old.series) ? [] : validateSeries(event)),
    ...fixed
      .filter(([, value, before]) => !jsonEqual(value, before))
      .map(([field, value]) => invalid(field, value, 'field is immutable')),
  ];
}

/** An event belongs to the namespace of its object; events about cluster-scoped objects to the default one. */
function validateNamespace({ eventTime, involvedObject, metadata }: Event): FieldError[] {
  const about = involvedObject.namespace ?? '';
  const { namespace = '' } = metadata;
  const defaultNamespaces = eventTime ? ['default', 'kube-system'] : ['default', ''];
  const isRight =
    about === '' ? defaultNamespaces.includes(namespace) : Boolean(eventTime) || namespace === about;
  return isRight ? [] : [invalid('involvedObject.namespace', about, 'does not match event.namespace')];
}

function validateReport(event: Event, controllerField: string): FieldError[] {
  const controller = event.reportingComponent ?? '';
  const needed = ['reportingInstance', 'action', 'reason'] as const;
  const bounded = ['reportingInstance', 'action', 'reason', 'message'] as const;
  return [
    ...(controller === '' ? [required(controllerField)] : []),
    ...errorsOfRule(controllerField, controller, qualifiedName),
    ...needed.filter((field) => !event[field]).map((field) => required(field)),
    ...bounded
      .filter((field) => Buffer.byteLength(event[field] ?? '') > limits[field])
      .map((field) => invalid(field, '', `can have at most ${limits[field]} characters`)),
  ];
}

function validateSeries({ series }: Event): FieldError[] {
  if (!series) return [];
  return [
    ...((series.count ?? 0) < 2 ? [invalid('series.count', '', 'should be at least 2')] : []),
    ...(series.lastObservedTime ? [] : [required('series.lastObservedTime')]),
  ];
}

/** A reference in Go's internal notation. */
function internalReference(reference: Event['involvedObject']): object {
  const { kind = '', namespace = '', name = '', uid = '' } = reference;
  const { apiVersion = '', resourceVersion = '', fieldPath = '' } = reference;
  return {
    Kind: kind,
    Namespace: namespace,
    Name: name,
    UID: uid,
    APIVersion: apiVersion,
    ResourceVersion: resourceVersion,
    FieldPath: fieldPath,
  };
}

function internalSource({ source = {} }: Event): object {
  return { Component: source.component ?? '', Host: source.host ?? '' };
}
