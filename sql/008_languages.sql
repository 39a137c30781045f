-- In which somebody is written to: a tag of what the server has words in.
alter table users add column language varchar(20) not null default 'en';
