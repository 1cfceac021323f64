import {
  ApiOutlined,
  AuditOutlined,
  BankOutlined,
  CheckCircleOutlined,
  ContainerOutlined,
  DashboardOutlined,
  DollarCircleOutlined,
  DollarOutlined,
  ExperimentOutlined,
  ExportOutlined,
  FileTextOutlined,
  HomeOutlined,
  MessageOutlined,
  MobileOutlined,
  RadarChartOutlined,
  NodeIndexOutlined,
  SendOutlined,
  ShopOutlined,
  TeamOutlined,
  TransactionOutlined,
  UserOutlined,
  WalletOutlined,
} from '@ant-design/icons';
import { Menu, type MenuProps } from 'antd';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useNames } from '../language/names.ts';
import { useViewer } from '../session/viewer.ts';
import { groupOf, menuOf } from './menu.ts';
import { placeAt } from '../navigation/place.ts';
import { useTitles } from '../navigation/use-titles.ts';

const ICONS: Readonly<Record<string, ReactNode>> = {
  shell: <HomeOutlined aria-hidden />,
  merchants: <ShopOutlined aria-hidden />,
  suppliers: <TeamOutlined aria-hidden />,
  receivingAccounts: <BankOutlined aria-hidden />,
  payoutAccounts: <ExportOutlined aria-hidden />,
  gatewayPayoutChannels: <ApiOutlined aria-hidden />,
  usdtAutoCollection: <DollarOutlined aria-hidden />,
  usdtAutoPayout: <DollarCircleOutlined aria-hidden />,
  kenyaCollectionAccount: <MobileOutlined aria-hidden />,
  collectionOrders: <FileTextOutlined aria-hidden />,
  payoutOrders: <SendOutlined aria-hidden />,
  batchPayout: <ContainerOutlined aria-hidden />,
  bankSMSRecords: <MessageOutlined aria-hidden />,
  performanceAnalysis: <DashboardOutlined aria-hidden />,
  interfaceTest: <ExperimentOutlined aria-hidden />,
  monitorLog: <RadarChartOutlined aria-hidden />,
  usdtTransactionRecords: <TransactionOutlined aria-hidden />,
  profile: <UserOutlined aria-hidden />,
  trustedChain: <NodeIndexOutlined aria-hidden />,
  toDo: <CheckCircleOutlined aria-hidden />,
  finance: <WalletOutlined aria-hidden />,
};

interface SideMenuProps {
  readonly path: string;
  readonly collapsed: boolean;
  readonly onGo: (path: string) => void;
}

/** The role's menu: one group open at a time, a group of one shown as its only screen. */
export function SideMenu({ path, collapsed, onGo }: SideMenuProps) {
  const viewer = useViewer();
  const title = useTitles();
  const name = useNames();
  const groups = menuOf(viewer.access);
  const screen = placeAt(path)?.screen;
  const group = screen ? groupOf(screen) : undefined;
  const [opened, setOpened] = useState<string | undefined>(group);
  useEffect(() => setOpened(group), [group]);
  const box = useRef<HTMLDivElement>(null);
  const showSelected = () => {
    box.current?.querySelector('.ant-menu-item-selected')?.scrollIntoView({ block: 'nearest' });
  };
  useEffect(showSelected, [path]);

  const items: NonNullable<MenuProps['items']> = groups.map(({ area, screens }) => {
    const icon = ICONS[area] ?? <AuditOutlined aria-hidden />;
    const [only, ...more] = screens;
    if (only && more.length === 0) return { key: only.path, icon, label: title(only) };
    return {
      key: area,
      icon,
      label: name('areas', area),
      children: screens.map((child) => ({ key: child.path, label: title(child) })),
    };
  });

  return (
    <div
      ref={box}
      // A group grows as it opens: what it holds comes into sight only then. Others' groups leave the place as it is.
      onTransitionEnd={({ propertyName }) => propertyName === 'height' && opened === group && showSelected()}
    >
      <Menu
        mode="inline"
        inlineCollapsed={collapsed}
        items={items}
        selectedKeys={screen ? [screen.path] : []}
        // A collapsed menu opens its groups as fly-outs by itself.
        {...(collapsed
          ? {}
          : { openKeys: opened ? [opened] : [], onOpenChange: (keys: string[]) => setOpened(keys.at(-1)) })}
        onClick={({ key }) => onGo(key)}
        style={{ borderInlineEnd: 0 }}
      />
    </div>
  );
}
