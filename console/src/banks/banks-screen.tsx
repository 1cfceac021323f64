import { Button, Tag } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import { useSend } from '../http/use-send.ts';
import type { InputOf, RowOf } from '../http/call-types.ts';
import type { ListDefinition } from '../operator-table/list-definition.ts';
import { ListScreen } from '../operator-table/list-screen.tsx';
import { useMayCall } from '../session/may-call.ts';
import type { PageProps } from '../navigation/page-props.ts';
import { useTitles } from '../navigation/use-titles.ts';

type BankCall = typeof endpoints.messageTemplate.getBankList;
type Bank = RowOf<BankCall>;

const senderName = ({ name, header }: Readonly<Record<string, unknown>>) =>
  typeof name === 'string' && typeof header === 'string' ? `${name} · ${header}` : undefined;

/** Banks and the senders of their messages. A sender is matched exactly: messages of a new sender are read once it is listed here. */
export function BanksScreen({ screen }: PageProps) {
  const { t } = useTranslation();
  const title = useTitles();
  const mayCall = useMayCall();
  const send = useSend(endpoints.messageTemplate.getBankList);
  const [asked, setAsked] = useState<{ readonly bank?: string; readonly remove?: string }>();
  const close = () => setAsked(undefined);
  const mayChange = mayCall(endpoints.messageTemplate.addBankHeader);

  const definition: ListDefinition<Bank, InputOf<BankCall>> = {
    name: 'banks',
    title: title(screen),
    call: endpoints.messageTemplate.getBankList,
    keyOf: (bank) => bank.bank,
    emptyText: t('banks.none'),
    waiting: { about: { kind: 'messageReading' }, nameOf: senderName },
    tools: mayChange && <Button onClick={() => setAsked({})}>{t('banks.add')}</Button>,
    filters: [{ name: 'name', param: 'q', kind: 'text', label: t('banks.nameOrSender'), pinned: true }],
    columns: [
      { key: 'bank', title: t('accounts.bank'), names: true, render: ({ bank }) => bank },
      {
        key: 'added',
        title: t('banks.added'),
        render: ({ added }) =>
          added.length === 0
            ? '–'
            : added.map(({ header, time, by }) => (
                <Tag
                  key={header}
                  title={`${time} ${by ?? ''}`}
                  closable={mayChange}
                  onClose={(event) => {
                    event.preventDefault();
                    setAsked({ remove: header });
                  }}
                >
                  {header}
                </Tag>
              )),
      },
      {
        key: 'count',
        // An export has the numbers themselves in the columns beside this one.
        parts: [],
        title: t('banks.count'),
        align: 'right',
        render: ({ shipped, added }) => shipped.length + added.length,
      },
      { key: 'shipped', title: t('banks.shipped'), width: 560, render: ({ shipped }) => shipped.join(' ') },
    ],
    actionsOf: ({ bank }) =>
      mayChange ? [{ key: 'add', label: t('banks.add'), run: () => setAsked({ bank }) }] : [],
  };
  return (
    <>
      <ListScreen definition={definition} />
      {asked && asked.remove === undefined && (
        <FormDialog
          title={t('banks.add')}
          fields={[
            {
              name: 'bank',
              label: t('accounts.bank'),
              kind: 'text',
              maxLength: 64,
              initial: asked.bank,
              required: true,
            },
            {
              name: 'header',
              label: t('messages.sender'),
              hint: t('banks.senderHint'),
              kind: 'text',
              pattern: /^(?=[A-Z0-9]*[A-Z])[A-Z0-9]{3,12}$/i,
              invalid: t('banks.senderHint'),
              required: true,
            },
          ]}
          consequence={t('banks.consequence')}
          okText={t('people.save')}
          onSubmit={async (values) => {
            await send(
              endpoints.messageTemplate.addBankHeader,
              values as InputOf<typeof endpoints.messageTemplate.addBankHeader>,
              t('people.saved'),
            );
          }}
          onClose={close}
        />
      )}
      {asked?.remove !== undefined && (
        <FormDialog
          title={`${t('banks.remove')} · ${asked.remove}`}
          fields={[]}
          consequence={t('banks.removeConsequence')}
          okText={t('banks.remove')}
          danger
          onSubmit={async () => {
            await send(
              endpoints.messageTemplate.removeBankHeader,
              { header: asked.remove! },
              t('people.saved'),
            );
          }}
          onClose={close}
        />
      )}
    </>
  );
}
