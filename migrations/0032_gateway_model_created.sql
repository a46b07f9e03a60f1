-- When the provider made a model, in Unix seconds, as its list says.
alter table gateway.models add column created double precision;
