import type { Container, PodSpec, VolumeProjection } from 'ots-kubernetes/core/v1';
import { containersOf } from './containers-of.ts';

/** Drops the fields of disabled features (alpha and the like in 1.36). Changes the spec. */
export function dropDisabledFields(spec: PodSpec): void {
  delete spec.schedulingGroup;
  for (const { container } of containersOf(spec)) dropStopSignal(container);
  for (const { projected } of spec.volumes ?? [])
    for (const source of projected?.sources ?? []) dropProjections(source);
}

function dropStopSignal(container: Pick<Container, 'lifecycle'>): void {
  const { lifecycle } = container;
  if (lifecycle?.stopSignal === undefined) return;
  delete lifecycle.stopSignal;
  if (Object.keys(lifecycle).length === 0) delete container.lifecycle;
}

function dropProjections(source: VolumeProjection): void {
  delete source.clusterTrustBundle;
  delete source.podCertificate;
}
