/** `12345678901234` → `123456…1234`: both ends, which is what people compare. */
export function middleCut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const tail = Math.min(6, Math.floor((limit - 1) / 2));
  return `${text.slice(0, limit - 1 - tail)}…${text.slice(-tail)}`;
}
