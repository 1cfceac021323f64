import { Dropdown, type DropdownProps, type MenuProps } from 'antd';

interface PopupMenuProps extends Omit<DropdownProps, 'menu'> {
  readonly menu: MenuProps;
}

/** A menu that opens on a click (or as `trigger` says). It takes the focus, so that the arrow keys work in it at once. */
export function PopupMenu({ menu, ...props }: PopupMenuProps) {
  return (
    <Dropdown
      autoFocus
      trigger={['click']}
      {...props}
      menu={{
        ...menu,
        onClick: (chosen) => {
          // The menu reacts to keydown. A dialog that opens on it takes the focus, and the same Enter would press one of its
          // buttons.
          chosen.domEvent.preventDefault();
          menu.onClick?.(chosen);
        },
      }}
    />
  );
}
