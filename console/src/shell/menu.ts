import type { Role } from '@sangam/contract/roles.ts';
import { mayOpen, SCREENS, type Screen } from '@sangam/contract/screens.ts';

export interface MenuGroup {
  /** Names the group: an area, or `system` for all of system administration. */
  readonly area: string;
  readonly screens: readonly Screen[];
}

/** Everything under system administration stands in one group. */
export const groupOf = (screen: Screen): string =>
  screen.area.startsWith('system') ? 'system' : screen.area;

/** The menu of a role, in the route table's order: only what it may open and what works. */
export function menuOf(role: Role): readonly MenuGroup[] {
  const groups = new Map<string, Screen[]>();
  for (const screen of SCREENS) {
    if (screen.area === 'public' || screen.path.startsWith('/error') || screen.path === '/message_page')
      continue;
    if (!screen.built || !mayOpen(role, screen)) continue;
    const group = groupOf(screen);
    groups.set(group, [...(groups.get(group) ?? []), screen]);
  }
  return [...groups].map(([area, screens]) => ({ area, screens }));
}
