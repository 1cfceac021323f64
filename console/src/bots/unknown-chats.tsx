import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { RowDrawer } from '../dialogs/row-drawer.tsx';
import { Section } from '../figures/details.tsx';
import type { RowOf } from '../http/call-types.ts';
import { useCall } from '../http/use-call.ts';
import type { Group } from './group-dialog.tsx';
import { UnknownTable } from './unknown-table.tsx';

type Chat = RowOf<typeof endpoints.bot.getUnknownChats>;

interface UnknownChatsProps {
  /** Undefined where the viewer may not add a group to the white list. */
  readonly onAdd: ((group: Partial<Group>) => void) | undefined;
  readonly onClose: () => void;
}

const NEWEST = { pageSize: 100 };
const OFTEN = { everyMs: 5_000 };

/** Chats and people who wrote to a bot and got no answer. An operator finds the id of a new group, or of a new sender, here. */
export function UnknownChats({ onAdd, onClose }: UnknownChatsProps) {
  const { t } = useTranslation();
  const chats = useCall(endpoints.bot.getUnknownChats, NEWEST, OFTEN).data;
  const senders = useCall(endpoints.bot.getUnknownSenders, NEWEST, OFTEN).data;
  const add = {
    title: t('botScreens.add'),
    cell: ({ bot, chatId, title }: Chat) => (
      <Button size="small" onClick={() => onAdd?.({ bot, chatId, title })}>
        {t('botScreens.add')}
      </Button>
    ),
  };
  return (
    <RowDrawer width={720} onClose={onClose} title={t('botScreens.unknown')}>
      {chats && (
        <UnknownTable
          rows={chats.list}
          emptyText={t('botScreens.noUnknown')}
          columns={[
            { title: t('botScreens.title'), cell: ({ title }) => title },
            { title: t('botScreens.chatId'), cell: ({ chatId }) => chatId },
          ]}
          actions={onAdd ? [add] : []}
        />
      )}
      {senders && (
        <Section title={t('botScreens.unknownSenders')}>
          <UnknownTable
            rows={senders.list}
            emptyText={t('botScreens.noUnknownSenders')}
            columns={[
              { title: t('botScreens.title'), cell: ({ groupTitle }) => groupTitle },
              { title: t('botScreens.sender'), cell: ({ name }) => name },
              { title: t('botScreens.senderId'), cell: ({ senderId }) => senderId },
            ]}
          />
        </Section>
      )}
    </RowDrawer>
  );
}
