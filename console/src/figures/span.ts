const DAY = 24 * 3600;

/** A duration as hours, minutes and seconds (1:02:03), which needs no translation. From two days on, in days. */
export function spanText(seconds: number, language: string): string {
  if (seconds >= 2 * DAY)
    return new Intl.NumberFormat(language, { style: 'unit', unit: 'day', unitDisplay: 'long' }).format(
      Math.floor(seconds / DAY),
    );
  const whole = Math.max(0, Math.round(seconds));
  const parts = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60];
  const [hours, ...rest] = parts.map((part, index) =>
    index === 0 ? String(part) : String(part).padStart(2, '0'),
  );
  return parts[0] === 0 ? rest.join(':') : [hours, ...rest].join(':');
}

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const;

export function bytesText(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log(Math.max(1, bytes)) / Math.log(1024)));
  return `${Math.round((10 * bytes) / 1024 ** power) / 10} ${UNITS[power]}`;
}
