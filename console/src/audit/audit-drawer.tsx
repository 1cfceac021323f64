import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { RowDrawer } from '../dialogs/row-drawer.tsx';
import { Copyable } from '../figures/copyable.tsx';
import { Facts, NothingYet, Section } from '../figures/details.tsx';
import { entryValue } from '../figures/entry-values.ts';
import { Moment } from '../figures/moment.tsx';
import { PlainTable } from '../figures/plain-table.tsx';
import { useNames } from '../language/names.ts';
import { fieldName, subjectText } from '../language/record-words.ts';
import type { InputOf, RowOf } from '../http/call-types.ts';
import { useTabLocation } from '../navigation/tab-location.ts';
import { useListedRow } from '../operator-table/use-listed-row.ts';
import { changesOf, HIDDEN } from './changes.ts';

type AuditCall = typeof endpoints.audit.getAuditList;

/** A link that shows the list with these filters and no others. */
function Search({
  of,
  children,
}: {
  readonly of: Readonly<Record<string, string>>;
  readonly children: string;
}) {
  const { setSearch } = useTabLocation();
  return (
    <Button
      type="link"
      size="small"
      style={{ padding: 0 }}
      onClick={() => setSearch(() => `?${new URLSearchParams(of)}`)}
    >
      {children}
    </Button>
  );
}

/** One whole audit entry, and a link to every entry of its subject. */
export function AuditDrawer({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const name = useNames();
  const entry = useListedRow<InputOf<AuditCall>, RowOf<AuditCall>>(endpoints.audit.getAuditList, id);
  return (
    <RowDrawer width={640} onClose={onClose} title={entry ? name('auditActions', entry.action) : id}>
      {entry ? (
        <>
          <Facts
            facts={[
              [t('audit.time'), <Moment time={entry.time} exact />],
              [t('people.account'), entry.account ?? t('audit.system')],
              [t('profile.role'), entry.role && name('roles', entry.role)],
              [
                t('audit.subject'),
                <>
                  {subjectText(name, entry.subject)} <Copyable text={entry.subject} limit={60} />
                </>,
              ],
              [t('fund.reason'), entry.reason],
              ['IP', entry.ip],
              [t('audit.device'), entry.device],
              [
                t('audit.session'),
                entry.sessionId && <Search of={{ ses: entry.sessionId }}>{entry.sessionId}</Search>,
              ],
              [
                t('audit.approval'),
                entry.approvalId && (
                  <Search of={{ s: `approval:${entry.approvalId}` }}>{entry.approvalId}</Search>
                ),
              ],
              [
                t('audit.proof'),
                <Copyable
                  text={`npm run audit -- export proof.jsonl --subject ${entry.subject}`}
                  limit={100}
                />,
              ],
            ]}
          />
          <Section
            title={t('audit.changes')}
            extra={
              <>
                <Search of={{ s: entry.subject }}>{t('audit.everything')}</Search>
                {entry.account !== null && (
                  <Search of={{ a: entry.account }}>{t('audit.everythingBy')}</Search>
                )}
              </>
            }
          >
            {changesOf(entry).some(({ before, after }) => before === HIDDEN || after === HIDDEN) && (
              <p>{t('audit.hidden')}</p>
            )}
            {changesOf(entry).length === 0 ? (
              <NothingYet text={t('audit.noChanges')} />
            ) : (
              <PlainTable
                rows={changesOf(entry)}
                keyOf={({ field }) => field}
                columns={[
                  { title: t('audit.field'), cell: ({ field }) => fieldName(name, field) },
                  {
                    title: t('approvalFields.before'),
                    wraps: true,
                    cell: ({ field, before }) => entryValue(name, entry, field, before),
                  },
                  {
                    title: t('approvalFields.after'),
                    wraps: true,
                    cell: ({ field, after }) => entryValue(name, entry, field, after),
                  },
                ]}
              />
            )}
          </Section>
        </>
      ) : (
        <NothingYet text={t('messages.notOnPage')} />
      )}
    </RowDrawer>
  );
}
