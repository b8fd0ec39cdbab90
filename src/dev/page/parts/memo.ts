import { Component, type ComponentChild, type ComponentType } from 'preact';

/** A component that renders only when a property is another one. For the rows of long tables. */
export function memo<Props extends object>(draw: (props: Props) => ComponentChild): ComponentType<Props> {
  return class extends Component<Props> {
    override shouldComponentUpdate(next: Readonly<Props>): boolean {
      const names = Object.keys({ ...this.props, ...next }) as (keyof Props)[];
      return names.some((name) => this.props[name] !== next[name]);
    }

    override render(): ComponentChild {
      return draw(this.props);
    }
  };
}
