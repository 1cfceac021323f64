-- A network of IPv4 addresses that was named as IPv6 (::ffff:1.2.3.0/120) was once kept as 1.2.3.0/120. No program reads that, and with one
-- such row no node could read the list of frozen addresses any more. What was meant is 1.2.3.0/24. Wider than /16 nobody may freeze, so what
-- would be wider is deleted; the audit keeps it.
delete from abnormal_ips a
where a.ip ~ '^[0-9.]+/[0-9]+$' and split_part(a.ip, '/', 2)::int > 32 and (split_part(a.ip, '/', 2)::int not between 112 and 128
  or exists (select from abnormal_ips b where b.ip = split_part(a.ip, '/', 1) || '/' || split_part(a.ip, '/', 2)::int - 96));
update abnormal_ips set ip = split_part(ip, '/', 1) || '/' || split_part(ip, '/', 2)::int - 96
where ip ~ '^[0-9.]+/[0-9]+$' and split_part(ip, '/', 2)::int > 32;

alter table abnormal_ips add constraint abnormal_ips_ip_check check (ip::inet is not null);
