import { type KubernetesObject, defineKind } from 'ots-runtime';

/** WidgetSpec is what is wanted of a Widget. */
interface WidgetSpec {
  /** Its color. */
  color?: string;
}

/**
 * Widget is a thing in two versions.
 * @deprecated widget.example.com/v1 goes; use v2
 * @unserved
 */
export interface Widget extends KubernetesObject {
  apiVersion: 'widget.example.com/v1';
  kind: 'Widget';
  spec: WidgetSpec;
}
export const Widget = defineKind<Widget>({
  apiVersion: 'widget.example.com/v1',
  kind: 'Widget',
  plural: 'widgets',
  scope: 'Namespaced',
});
