import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { TRANSFER_STATES, type TransferState } from '@sangam/contract/bots.ts';
import { Moment } from '../figures/moment.tsx';
import { Money } from '../figures/money.tsx';
import { Status, type Tone } from '../figures/status.tsx';
import type { InputOf, RowOf } from '../http/call-types.ts';
import type { PageProps } from '../navigation/page-props.ts';
import { useTitles } from '../navigation/use-titles.ts';
import type { ListDefinition } from '../operator-table/list-definition.ts';
import { ListScreen } from '../operator-table/list-screen.tsx';
import { BotState } from './bot-state.tsx';

type InstructionsCall = typeof endpoints.bot.getTransferInstructions;

const TONES: Readonly<Record<TransferState, Tone>> = {
  unclear: 'quiet',
  pending: 'pending',
  confirmed: 'pending',
  done: 'positive',
  refused: 'negative',
};

const TransferBotState = () => <BotState bot="transfer" />;

/** Instructions that groups sent: what the bot understood, and who has to decide. */
export function TransferBotScreen({ screen }: PageProps) {
  const { t } = useTranslation();
  const title = useTitles();
  const definition: ListDefinition<RowOf<InstructionsCall>, InputOf<InstructionsCall>> = {
    name: 'transferInstructions',
    title: title(screen),
    call: endpoints.bot.getTransferInstructions,
    keyOf: ({ id }) => id,
    emptyText: t('botScreens.noInstructions'),
    Panel: TransferBotState,
    filters: [
      {
        name: 'state',
        param: 's',
        kind: 'choice',
        label: t('botScreens.state'),
        pinned: true,
        values: TRANSFER_STATES,
        options: TRANSFER_STATES.map((value) => ({ value, label: t(`botScreens.transferStates.${value}`) })),
      },
    ],
    columns: [
      {
        key: 'createTime',
        title: t('botScreens.time'),
        names: true,
        render: (row) => <Moment time={row.createTime} />,
      },
      { key: 'groupTitle', title: t('botScreens.title'), render: (row) => row.groupTitle },
      { key: 'sender', title: t('botScreens.sender'), render: ({ sender }) => sender },
      {
        key: 'amount',
        title: t('botScreens.amount'),
        align: 'right',
        render: ({ amount, currency }) =>
          amount === null || currency === null ? '–' : <Money minor={amount} currency={currency} />,
      },
      { key: 'payee', title: t('botScreens.payee'), render: ({ payee }) => payee ?? '–' },
      { key: 'purpose', title: t('botScreens.purpose'), render: ({ purpose }) => purpose ?? '–' },
      {
        key: 'state',
        title: t('botScreens.state'),
        render: ({ state }) => <Status tone={TONES[state]} label={t(`botScreens.transferStates.${state}`)} />,
      },
      { key: 'todoId', title: t('botScreens.todo'), render: ({ todoId }) => todoId ?? '–' },
      {
        key: 'endTime',
        title: t('botScreens.ended'),
        render: ({ endTime }) => (endTime === null ? '–' : <Moment time={endTime} />),
      },
      { key: 'text', title: t('botScreens.text'), optional: true, render: ({ text }) => text },
    ],
  };
  return <ListScreen definition={definition} />;
}
