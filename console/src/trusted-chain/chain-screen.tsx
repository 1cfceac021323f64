import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { LISTED_CHAIN_STATES } from '@sangam/contract/chain.ts';
import { Copyable } from '../figures/copyable.tsx';
import { Moment } from '../figures/moment.tsx';
import { moneyText } from '../figures/money-text.ts';
import { Money } from '../figures/money.tsx';
import { Status } from '../figures/status.tsx';
import { useNames } from '../language/names.ts';
import type { InputOf } from '../http/call-types.ts';
import type { ListDefinition } from '../operator-table/list-definition.ts';
import { ListScreen } from '../operator-table/list-screen.tsx';
import { useFilterOptions } from '../operator-table/use-filter-options.ts';
import type { PageProps } from '../navigation/page-props.ts';
import { useTitles } from '../navigation/use-titles.ts';
import type { ChainNode, NodesCall } from './chain.ts';
import { ChainDrawer } from './chain-drawer.tsx';
import { NodeState } from './node-state.tsx';

/** Messages as links of their accounts' chains. A row opens the drawing of its account's chain. */
export function ChainScreen({ screen }: PageProps) {
  const { t } = useTranslation();
  const title = useTitles();
  const name = useNames();
  const choices = useFilterOptions();
  const definition: ListDefinition<ChainNode, InputOf<NodesCall>> = {
    name: 'securityNodes',
    title: title(screen),
    call: endpoints.chain.getSecurityNodeList,
    keyOf: (node) => node.id,
    openKeyOf: (node) => node.resourceId,
    emptyText: t('chain.noNodes'),
    drawer: (id, close) => <ChainDrawer key={id} resourceId={id} onClose={close} />,
    filters: [
      { name: 'resourceId', param: 'ac', kind: 'digits', label: t('messages.resourceId'), pinned: true },
      {
        name: 'state',
        param: 's',
        kind: 'choice',
        label: t('messages.state'),
        pinned: true,
        values: LISTED_CHAIN_STATES,
        options: LISTED_CHAIN_STATES.map((state) => ({
          value: state,
          label: name('chainNodeStates', state),
        })),
      },
      {
        name: 'supplierId',
        param: 'sp',
        kind: 'digits',
        label: t('orders.supplier'),
        options: choices.suppliers,
      },
      { name: 'period', param: 't', kind: 'period', label: t('list.span') },
    ],
    columns: [
      {
        key: 'bankTime',
        title: t('messages.bankTime'),
        names: true,
        render: (node) => <Moment time={node.bankTime} />,
      },
      {
        key: 'state',
        words: 'chainNodeStates',
        title: t('messages.state'),
        render: (node) => <NodeState state={node.state} />,
      },
      {
        key: 'account',
        field: 'accountName',
        title: t('accounts.account'),
        render: (node) => node.accountName,
      },
      {
        key: 'supplier',
        field: 'supplierName',
        title: t('orders.supplier'),
        render: (node) => node.supplierName ?? '–',
      },
      {
        key: 'balanceBefore',
        title: t('chain.balanceBefore'),
        align: 'right',
        render: (node) => <Money minor={node.balanceBefore} currency={node.currency} />,
      },
      {
        key: 'gapBefore',
        title: t('chain.gapBefore'),
        align: 'right',
        render: (node) =>
          node.gapBefore === null ? (
            '–'
          ) : (
            <Status tone="negative" label={moneyText(node.gapBefore, node.currency)} />
          ),
      },
      {
        key: 'amount',
        title: t('approvalFields.amount'),
        align: 'right',
        render: (node) => <Money minor={node.amount} currency={node.currency} directed />,
      },
      {
        key: 'balance',
        title: t('messages.balance'),
        align: 'right',
        render: (node) => <Money minor={node.balance} currency={node.currency} />,
      },
      {
        key: 'order',
        field: 'orderCode',
        title: t('orders.orderCode'),
        render: (node) => <Copyable text={node.orderCode} limit={20} />,
      },
      { key: 'id', title: t('chain.nodeId'), optional: true, render: (node) => <Copyable text={node.id} /> },
    ],
  };
  return <ListScreen definition={definition} />;
}
