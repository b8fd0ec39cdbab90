/** Puts a text of a kubeconfig, which may come from anywhere, on one line: control characters could take over a terminal. */
export function printable(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ').trim();
}
