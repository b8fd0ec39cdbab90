/** Splits a name in camel case into words, the first letter in upper case: `podCPULimit` is `Pod CPU Limit`. */
export function wordsOf(name: string): string {
  const words = name.replaceAll(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
