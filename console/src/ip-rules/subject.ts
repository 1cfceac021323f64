import { endpoints } from 'virtual:endpoints';
import { parseIpSubject, type IpDoor } from '@sangam/contract/ip-rules.ts';
import { ROLES } from '@sangam/contract/roles.ts';
import { useCall } from '../http/use-call.ts';
import { useNames } from '../language/names.ts';
import { useFilterOptions } from '../operator-table/use-filter-options.ts';

interface Choice {
  readonly value: string;
  readonly label: string;
}

/** Whom the rules of an entrance can name. */
export function useSubjects(door: IpDoor): readonly Choice[] {
  const name = useNames();
  const users = useCall(endpoints.admin.getUserOptions, {}, { staleMs: 60_000, enabled: door === 'console' });
  const { merchants } = useFilterOptions();
  const anyone = { value: 'anyone', label: name('ipSubjects', 'anyone') };
  if (door === 'console') {
    return [
      anyone,
      ...ROLES.map((role) => ({ value: `role:${role}`, label: name('roles', role) })),
      ...(users.data?.list ?? []).map(({ id, account, name: nickname }) => ({
        value: `user:${id}`,
        label: `${account} · ${nickname}`,
      })),
    ];
  }
  if (door !== 'merchantApi') return [anyone];
  return [anyone, ...merchants.map(({ value, label }) => ({ value: `merchant:${value}`, label }))];
}

/** The subject of a rule as text. */
export function useSubjectText(): (subject: string, subjectName: string | null) => string {
  const name = useNames();
  return (text, subjectName) => {
    const subject = parseIpSubject(text);
    if (subject?.kind === 'anyone') return name('ipSubjects', 'anyone');
    if (subject?.kind === 'role') return name('roles', subject.role);
    return subjectName ?? text;
  };
}
