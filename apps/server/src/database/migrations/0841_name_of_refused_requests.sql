-- The log of refused requests is called what it is, unless an administrator gave its parameter another name.
update parameters set param_name = '拒绝的请求保留天数' where param_key = 'log.usualDays' and param_name = '业务日志保留天数';
