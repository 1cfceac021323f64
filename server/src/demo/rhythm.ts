import { DAY, HOUR } from '../platform/clock.ts';
import type { Random } from './random.ts';

const KOLKATA_OFFSET = 5.5 * HOUR;
const SLOT = HOUR / 2;

/** How busy each hour is: quiet before dawn, a bump at lunch, the peak after dinner. */
const HOURS = [22, 13, 8, 5, 4, 6, 12, 24, 40, 58, 72, 80, 86, 84, 72, 66, 66, 72, 82, 96, 108, 110, 86, 48];
/** Sunday first. More shopping at the end of the week. */
const WEEKDAYS = [1.15, 0.92, 0.9, 0.95, 1, 1.12, 1.24];
/** How much busier the last days are than the first (0.6 = 60 % more). */
const GROWTH = 0.6;

/** `count` moments between two, ascending, with the rhythm of day, week and growth. `bustle`: how much busier a moment was. */
export function sampleTimes(
  count: number,
  from: Date,
  to: Date,
  random: Random,
  bustle: (at: Date) => number = () => 1,
): Date[] {
  const start = from.getTime();
  const length = to.getTime() - start;
  const slots = Math.ceil(length / SLOT);
  const dayNoise = Array.from({ length: Math.ceil(length / DAY) + 2 }, () => 0.88 + 0.24 * random.next());
  const cumulative: number[] = [];
  let total = 0;
  for (let slot = 0; slot < slots; slot += 1) {
    const at = start + slot * SLOT;
    const local = new Date(at + KOLKATA_OFFSET);
    const growth = 1 + GROWTH * (slot / slots);
    const share = Math.min(1, (length - slot * SLOT) / SLOT);
    total +=
      HOURS[local.getUTCHours()]! *
      WEEKDAYS[local.getUTCDay()]! *
      dayNoise[Math.floor((slot * SLOT) / DAY)]! *
      growth *
      bustle(new Date(at)) *
      share;
    cumulative.push(total);
  }
  let slot = 0;
  return Array.from({ length: count }, (_, index) => {
    // Stratified sampling: ascending by construction, but still irregular.
    const target = ((index + random.next()) / count) * total;
    while (cumulative[slot]! < target && slot < slots - 1) slot += 1;
    const before = slot === 0 ? 0 : cumulative[slot - 1]!;
    const within = (target - before) / (cumulative[slot]! - before);
    return new Date(Math.min(start + Math.floor((slot + within) * SLOT), to.getTime()));
  });
}
