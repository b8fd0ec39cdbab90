import { type KubernetesObject, defineKind } from 'ots-runtime';

/** WidgetSpec is what is wanted of a Widget. */
interface WidgetSpec {
  /** Its colors. @listType set */
  colors?: string[];
}

/**
 * Widget is a thing in two versions.
 * @storageVersion
 */
export interface Widget extends KubernetesObject {
  apiVersion: 'widget.example.com/v2';
  kind: 'Widget';
  spec: WidgetSpec;
}
export const Widget = defineKind<Widget>({
  apiVersion: 'widget.example.com/v2',
  kind: 'Widget',
  plural: 'widgets',
  scope: 'Namespaced',
});
