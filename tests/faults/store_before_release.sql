-- A store that the judge wrote at step 0014, before its first release: a game in Fall 1901.
BEGIN TRANSACTION;
CREATE TABLE addresses (
	folded VARCHAR NOT NULL,
	address VARCHAR NOT NULL,
	person VARCHAR NOT NULL,
	is_primary BOOLEAN NOT NULL,
	PRIMARY KEY (folded),
	FOREIGN KEY(person) REFERENCES people (id)
);
INSERT INTO "addresses" VALUES('austria@players.example','austria@players.example','da02b5f201a11bc7ad18353f046d031a',1);
INSERT INTO "addresses" VALUES('england@players.example','england@players.example','35b9c817d07da871fda9eb6049c2f23b',1);
INSERT INTO "addresses" VALUES('france@players.example','france@players.example','4080e1137f295f3995855b15e42c4818',1);
INSERT INTO "addresses" VALUES('germany@players.example','germany@players.example','285ffb986b08e610d3bba0270c9c16cf',1);
INSERT INTO "addresses" VALUES('italy@players.example','italy@players.example','b206ae6333d7bbc4f6dc330599bca987',1);
INSERT INTO "addresses" VALUES('russia@players.example','russia@players.example','924c845f57cf12e8f3b0d4033e96aea6',1);
INSERT INTO "addresses" VALUES('turkey@players.example','turkey@players.example','0bdd9aa072ae1cad295884da01b3ee52',1);
CREATE TABLE agenda (
	game VARCHAR NOT NULL,
	due_utc DATETIME NOT NULL, away_since_utc DATETIME,
	PRIMARY KEY (game)
);
INSERT INTO "agenda" VALUES('baltic','2026-11-25 20:00:00.000000',NULL);
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL,
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0014');
CREATE TABLE answers (
	address VARCHAR NOT NULL,
	kind VARCHAR NOT NULL,
	answered_utc DATETIME NOT NULL,
	PRIMARY KEY (address, kind)
);
CREATE TABLE budgets (
	name VARCHAR NOT NULL,
	spent_until_utc DATETIME NOT NULL,
	PRIMARY KEY (name)
);
INSERT INTO "budgets" VALUES('answers to 4080e1137f295f3995855b15e42c4818','2026-11-23 12:05:00.000000');
INSERT INTO "budgets" VALUES('answers to 4080e1137f295f3995855b15e42c4818 f4922a53c8fc4e706d66a1176f1068592afe2c62645c6ea7ae47681cbc517f59','2026-11-23 13:00:00.000000');
CREATE TABLE events (
	position INTEGER NOT NULL,
	game VARCHAR NOT NULL,
	version INTEGER NOT NULL,
	type VARCHAR NOT NULL,
	schema INTEGER NOT NULL,
	recorded_utc VARCHAR NOT NULL,
	payload VARCHAR NOT NULL,
	hash VARCHAR NOT NULL,
	PRIMARY KEY (position),
	UNIQUE (game, version),
	FOREIGN KEY(game) REFERENCES games (name)
);
INSERT INTO "events" VALUES(1,'baltic',1,'game_created',1,'2026-11-23T12:00:00.000000Z','{"game":"baltic","house_rules":{"absence_days":15,"absences":"move","adjustment_hours":24,"adjustment_press":"same","after_deadline":"frozen","anonymous":false,"blind":false,"claim_hours":24,"closed_weekdays":[6,7],"closing_time":"20:00","comment":"","concessions":true,"deadlines":"every_phase","draw_among":"survivors","draw_effect":"at_once","draws":true,"dummies":"hold","early_closing":true,"early_not_before_hours":12,"early_wait_minutes":30,"entry":"open","fakes":"none","first_phase_hours":168,"first_spring_extension_hours":0,"forwarding":"daily","grace_hours":24,"grace_press":true,"hide_proposer":false,"holidays":"","impossible_orders":"accept","last_year":0,"late_press":false,"listed":true,"manual_processing":false,"moderator_sees":"nothing","movement_hours":72,"must_order":false,"need_ready":false,"nmr":"standby","nmr_extension_hours":24,"observer_press":"none","observers":true,"open_votes":false,"postal":"yes","press":"all","press_closes_before_deadline":0,"proof":"standard","proposal_phases":1,"publish_diaries":false,"publish_press":false,"reminder_hours":[24,4],"retreat_hours":24,"retreat_press":"same","reveal":false,"s_stands":false,"signing":"white","silence":"no","start":"when_full","takeover_hours":168,"touch_press":false,"typos":"suggest","victory_centers":0,"zone":"UTC"},"moderator":null,"rulebook":{"automatic_removal":"owned_any","build_coast_omitted":"fails","build_kind_omitted":"army_inland_fleet_with_coast","builds_in_one_center":"first","coast_superfluous":"ignored","convoy_paradoxes":"szykman","convoy_routes":"all_routes","convoy_to_neighbor":"intent_no_fallback","convoyed_attack_from":"from_start","counted_orders":"possible_now","dislodged_bounce":"only_head_on","excess_builds":"first","excess_removals":"first","fleet_inland":"fails","implied_orders":"not_allowed","kind_omitted":"legal","kind_wrong":"legal","moved_coast_open":"fails","moved_coast_single":"only_coast","moved_coast_wrong":"illegal","orders_for_one_unit":"first","power_omitted":"legal","power_wrong":"legal","proxy_orders":"not_allowed","removal_ties":"full_names","retreat_to_convoyed_origin":"allowed","sets_in_sequence":"last_unless_kept","sets_without_sequence":"merge","standing_coast_wrong":"ignored","standing_orders":"not_allowed","support_of_the_absent":"succeeds","supported_coast":"omit_any","via_without_convoy":"invalid","waived_builds":"allowed","written_route":"ignored"},"variant":"standard"}','64585ae4398792e325f8211fdabe873817c0169d3721cfb73d49f83196d21c94');
INSERT INTO "events" VALUES(2,'baltic',2,'player_joined',1,'2026-11-23T12:00:00.000000Z','{"person":"da02b5f201a11bc7ad18353f046d031a","preferences":[["AUSTRIA"]]}','c1f1ba7261b06b4c9cfbf2d6fbf52186cec61ac7f0dd266f5da55a2d0244eebd');
INSERT INTO "events" VALUES(3,'baltic',3,'player_joined',1,'2026-11-23T12:00:00.000000Z','{"person":"35b9c817d07da871fda9eb6049c2f23b","preferences":[["ENGLAND"]]}','df34bdc8284fa48e6042793b362cea3ddbe466ed0c4eb03e1ba88ce72855ae37');
INSERT INTO "events" VALUES(4,'baltic',4,'player_joined',1,'2026-11-23T12:00:00.000000Z','{"person":"4080e1137f295f3995855b15e42c4818","preferences":[["FRANCE"]]}','97c39407affbd903c89fb4c98190c23de8b009862792b574f65f5733f8f3c54a');
INSERT INTO "events" VALUES(5,'baltic',5,'player_joined',1,'2026-11-23T12:00:00.000000Z','{"person":"285ffb986b08e610d3bba0270c9c16cf","preferences":[["GERMANY"]]}','ea53f96f0ed2355bac4d5df2acc2b84593c49b42a930084153f121adfaf9ff41');
INSERT INTO "events" VALUES(6,'baltic',6,'player_joined',1,'2026-11-23T12:00:00.000000Z','{"person":"b206ae6333d7bbc4f6dc330599bca987","preferences":[["ITALY"]]}','2046d9d12e93e6d07e630fb375f5030ca2d23da9181851023e39d183c568e83f');
INSERT INTO "events" VALUES(7,'baltic',7,'player_joined',1,'2026-11-23T12:00:00.000000Z','{"person":"924c845f57cf12e8f3b0d4033e96aea6","preferences":[["RUSSIA"]]}','a7afc683f031dd348bfbe0eeac9d3b49b50a987e65b899aa966b9547295f98bb');
INSERT INTO "events" VALUES(8,'baltic',8,'player_joined',1,'2026-11-23T12:00:00.000000Z','{"person":"0bdd9aa072ae1cad295884da01b3ee52","preferences":[["TURKEY"]]}','2fc48304ac59e8be02f15f62c848e87e37c00014b35953f25ae4e5b2626d20d6');
INSERT INTO "events" VALUES(9,'baltic',9,'game_started',1,'2026-11-23T12:00:00.000000Z','{"seats":{"AUSTRIA":"da02b5f201a11bc7ad18353f046d031a","ENGLAND":"35b9c817d07da871fda9eb6049c2f23b","FRANCE":"4080e1137f295f3995855b15e42c4818","GERMANY":"285ffb986b08e610d3bba0270c9c16cf","ITALY":"b206ae6333d7bbc4f6dc330599bca987","RUSSIA":"924c845f57cf12e8f3b0d4033e96aea6","TURKEY":"0bdd9aa072ae1cad295884da01b3ee52"},"seed":"seed"}','f361f2e9dc0a0868ee6983b62d03a8cd75ef0d713e5f3f2a4bd05a8f284f3a30');
INSERT INTO "events" VALUES(10,'baltic',10,'phase_opened',1,'2026-11-23T12:00:00.000000Z','{"deadline":"2026-11-30T20:00:00Z","grace_end":"2026-12-01T20:00:00Z","number":1,"opened":"2026-11-23T12:00:00Z","phase":"S1901M","position":{"builds":{},"centers":{"AUSTRIA":["BUD","TRI","VIE"],"ENGLAND":["EDI","LON","LVP"],"FRANCE":["BRE","MAR","PAR"],"GERMANY":["BER","KIE","MUN"],"ITALY":["NAP","ROM","VEN"],"RUSSIA":["MOS","SEV","STP","WAR"],"TURKEY":["ANK","CON","SMY"]},"contested":[],"dislodged":{},"phase":"S1901M","units":{"AUSTRIA":["A BUD","F TRI","A VIE"],"ENGLAND":["F EDI","F LON","A LVP"],"FRANCE":["F BRE","A MAR","A PAR"],"GERMANY":["A BER","F KIE","A MUN"],"ITALY":["F NAP","A ROM","A VEN"],"RUSSIA":["A MOS","F SEV","F STP/SC","A WAR"],"TURKEY":["F ANK","A CON","A SMY"]}}}','15e3694932cf806de1820e1ec93950c4afc2db0c2c0cb61c7b630ef3dd76e994');
INSERT INTO "events" VALUES(11,'baltic',11,'orders_submitted',1,'2026-11-23T12:00:00.000000Z','{"evidence":"2647876eeb448ac829b4d109924a3880","mail":"60c498156f180c027fd2d41acda851e2b6071ebd9e3d8d3c0b94e2c5932dbc79","nonce":"18a9988715198d1265adb4e27a6bea99","orders":["A PAR - BUR"],"person":"4080e1137f295f3995855b15e42c4818","phase":"S1901M","power":"FRANCE","received":"2026-11-23T12:00:00Z","standing":["A PAR - BUR"]}','28263629e63c6c878796a11cadbab848f3a4b391f929f70efc8be007f3f2d3e5');
INSERT INTO "events" VALUES(12,'baltic',12,'phase_closed',2,'2026-11-23T12:00:00.000000Z','{"after":{"builds":{},"centers":{"AUSTRIA":["BUD","TRI","VIE"],"ENGLAND":["EDI","LON","LVP"],"FRANCE":["BRE","MAR","PAR"],"GERMANY":["BER","KIE","MUN"],"ITALY":["NAP","ROM","VEN"],"RUSSIA":["MOS","SEV","STP","WAR"],"TURKEY":["ANK","CON","SMY"]},"contested":[],"dislodged":{},"phase":"F1901M","units":{"AUSTRIA":["A BUD","F TRI","A VIE"],"ENGLAND":["F EDI","F LON","A LVP"],"FRANCE":["F BRE","A BUR","A MAR"],"GERMANY":["A BER","F KIE","A MUN"],"ITALY":["F NAP","A ROM","A VEN"],"RUSSIA":["A MOS","F SEV","F STP/SC","A WAR"],"TURKEY":["F ANK","A CON","A SMY"]}},"commitments":{"FRANCE":{"digest":"26ae90e383bb899eafb4090abf978765391c3bfcd76a36ef3c72b7a5a7f962bb","nonce":"18a9988715198d1265adb4e27a6bea99"}},"nmr":["AUSTRIA","ENGLAND","GERMANY","ITALY","RUSSIA","TURKEY"],"number":1,"orders":{"FRANCE":["A PAR - BUR"]},"paradoxes":[],"phase":"S1901M","removed":[],"resolver":"1","rulebook":"datc","verdicts":[{"fate":null,"order":"A PAR - BUR","power":"FRANCE","verdict":{"attack":{"discounted":[],"is":"strength","supporters":[],"unit":"PAR"},"is":"succeeds","route":[]},"written":true},{"fate":null,"order":"A BUD H","power":"AUSTRIA","verdict":{"is":"stands"},"written":false},{"fate":null,"order":"F TRI H","power":"AUSTRIA","verdict":{"is":"stands"},"written":false},{"fate":null,"order":"A VIE H","power":"AUSTRIA","verdict":{"is":"stands"},"written":false},{"fate":null,"order":"F EDI H","power":"ENGLAND","verdict":{"is":"stands"},"written":false},{"fate":null,"order":"F LON H","power":"ENGLAND","verdict":{"is":"stands"},"written":false},{"fate":null,"order":"A LVP H","power":"ENGLAND","verdict":{"is":"stands"},"written":false},{"fate":null,"order":"F BRE H","power":"FRANCE","verdict":{"is":"stands"},"written":false},{"fate":null,"order":"A MAR H","power":"FRANCE","verdict":{"is":"stands"},"written":false},{"fate":null,"order":"A BER H","power":"GERMANY","verdict":{"is":"stands"},"written":false},{"fate":null,"order":"F KIE H","power":"GERMANY","verdict":{"is":"stands"},"written":false},{"fate":null,"order":"A MUN H","power":"GERMANY","verdict":{"is":"stands"},"written":false},{"fate":null,"order":"F NAP H","power":"ITALY","verdict":{"is":"stands"},"written":false},{"fate":null,"order":"A ROM H","power":"ITALY","verdict":{"is":"stands"},"written":false},{"fate":null,"order":"A VEN H","power":"ITALY","verdict":{"is":"stands"},"written":false},{"fate":null,"order":"A MOS H","power":"RUSSIA","verdict":{"is":"stands"},"written":false},{"fate":null,"order":"F SEV H","power":"RUSSIA","verdict":{"is":"stands"},"written":false},{"fate":null,"order":"F STP/SC H","power":"RUSSIA","verdict":{"is":"stands"},"written":false},{"fate":null,"order":"A WAR H","power":"RUSSIA","verdict":{"is":"stands"},"written":false},{"fate":null,"order":"F ANK H","power":"TURKEY","verdict":{"is":"stands"},"written":false},{"fate":null,"order":"A CON H","power":"TURKEY","verdict":{"is":"stands"},"written":false},{"fate":null,"order":"A SMY H","power":"TURKEY","verdict":{"is":"stands"},"written":false}]}','7399c54a8d9c7c7c1ab018a077d4ec803945306834950231b46bd39b54ff2b81');
INSERT INTO "events" VALUES(13,'baltic',13,'phase_opened',1,'2026-11-23T12:00:00.000000Z','{"deadline":"2026-11-26T20:00:00Z","grace_end":"2026-11-27T20:00:00Z","number":2,"opened":"2026-11-23T12:00:00Z","phase":"F1901M","position":{"builds":{},"centers":{"AUSTRIA":["BUD","TRI","VIE"],"ENGLAND":["EDI","LON","LVP"],"FRANCE":["BRE","MAR","PAR"],"GERMANY":["BER","KIE","MUN"],"ITALY":["NAP","ROM","VEN"],"RUSSIA":["MOS","SEV","STP","WAR"],"TURKEY":["ANK","CON","SMY"]},"contested":[],"dislodged":{},"phase":"F1901M","units":{"AUSTRIA":["A BUD","F TRI","A VIE"],"ENGLAND":["F EDI","F LON","A LVP"],"FRANCE":["F BRE","A BUR","A MAR"],"GERMANY":["A BER","F KIE","A MUN"],"ITALY":["F NAP","A ROM","A VEN"],"RUSSIA":["A MOS","F SEV","F STP/SC","A WAR"],"TURKEY":["F ANK","A CON","A SMY"]}}}','3fc4c4ac4f1cd31e7d5f3d62706ff7d297948882af5428637fbee49d501226fd');
CREATE TABLE evidence (
	id VARCHAR NOT NULL,
	mail INTEGER NOT NULL,
	how VARCHAR NOT NULL,
	recorded_utc DATETIME NOT NULL, proof VARCHAR DEFAULT '' NOT NULL,
	PRIMARY KEY (id),
	FOREIGN KEY(mail) REFERENCES inbox (id)
);
INSERT INTO "evidence" VALUES('2647876eeb448ac829b4d109924a3880',1,'token','2026-11-23 12:00:00.000000','');
CREATE TABLE games (
	name VARCHAR NOT NULL,
	version INTEGER NOT NULL,
	hash VARCHAR NOT NULL,
	created_utc DATETIME NOT NULL,
	PRIMARY KEY (name)
);
INSERT INTO "games" VALUES('baltic',13,'3fc4c4ac4f1cd31e7d5f3d62706ff7d297948882af5428637fbee49d501226fd','2026-11-23 12:00:00.000000');
CREATE TABLE inbox (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	sha256 VARCHAR NOT NULL,
	raw BLOB NOT NULL,
	sender VARCHAR NOT NULL,
	recipient VARCHAR NOT NULL,
	way_in VARCHAR NOT NULL,
	received_utc DATETIME NOT NULL,
	state VARCHAR NOT NULL,
	attempts INTEGER NOT NULL,
	reason VARCHAR NOT NULL,
	confirmed_person VARCHAR, retry_utc DATETIME, deaths INTEGER DEFAULT '0' NOT NULL, in_hand BOOLEAN DEFAULT 0 NOT NULL, held_for VARCHAR, held_game VARCHAR,
	UNIQUE (sha256, recipient)
);
INSERT INTO "inbox" VALUES(1,'60c498156f180c027fd2d41acda851e2b6071ebd9e3d8d3c0b94e2c5932dbc79',X'46726F6D3A206672616E636540706C61796572732E6578616D706C650D0A546F3A206A756467652B79626C6C6B64656A75706D7974747135406A756467652E6578616D706C650D0A5375626A6563743A2052653A204A554447453A62616C746963202D2047616D65205374617274696E673A20796F7520706C6179204672616E63650D0A4D6573736167652D49443A203C7461626C652E3140706C61796572732E6578616D706C653E0D0A496E2D5265706C792D546F3A203C3237626238616635626361386539646635316139623965363138663065373531406A756467652E6578616D706C653E0D0A436F6E74656E742D547970653A20746578742F706C61696E3B20636861727365743D227574662D38220D0A436F6E74656E742D5472616E736665722D456E636F64696E673A20376269740D0A4D494D452D56657273696F6E3A20312E300D0A0D0A41205061722D4275720D0A','france@players.example','judge+ybllkdejupmyttq5@judge.example','smtp','2026-11-23 12:00:00.000000','processed',1,'',NULL,'2026-11-23 12:00:02.000000',0,0,NULL,NULL);
CREATE TABLE letters (
	person VARCHAR NOT NULL,
	message_id VARCHAR NOT NULL,
	digest VARCHAR NOT NULL,
	mail INTEGER NOT NULL,
	PRIMARY KEY (person, message_id, digest)
);
INSERT INTO "letters" VALUES('4080e1137f295f3995855b15e42c4818','<table.1@players.example>','f4922a53c8fc4e706d66a1176f1068592afe2c62645c6ea7ae47681cbc517f59',1);
CREATE TABLE mailboxes (
	name VARCHAR NOT NULL,
	uid_validity BIGINT NOT NULL,
	uid BIGINT NOT NULL,
	read_utc DATETIME,
	failing_utc DATETIME,
	reason VARCHAR NOT NULL,
	PRIMARY KEY (name)
);
CREATE TABLE outbox (
	id INTEGER NOT NULL,
	message_id VARCHAR NOT NULL,
	sender VARCHAR NOT NULL,
	recipient VARCHAR NOT NULL,
	raw BLOB NOT NULL,
	due_utc DATETIME NOT NULL,
	kind VARCHAR NOT NULL,
	game VARCHAR,
	person VARCHAR,
	token VARCHAR,
	attempts INTEGER NOT NULL,
	state VARCHAR NOT NULL,
	reason VARCHAR NOT NULL,
	sent_utc DATETIME, bounced_utc DATETIME,
	PRIMARY KEY (id),
	UNIQUE (message_id)
);
INSERT INTO "outbox" VALUES(8,'<cd45a029018f46e15ba3478157dd2b9c@judge.example>','judge+65mge5mucinl6bsc@judge.example','france@players.example',X'436F6E74656E742D547970653A20746578742F706C61696E3B20636861727365743D227574662D38220D0A4D494D452D56657273696F6E3A20312E300D0A436F6E74656E742D5472616E736665722D456E636F64696E673A2071756F7465642D7072696E7461626C650D0A46726F6D3A20224A55444745206A7564676522203C6A75646765406A756467652E6578616D706C653E0D0A546F3A206672616E636540706C61796572732E6578616D706C650D0A5265706C792D546F3A206A756467652B6E71646A7A743265696C75726D647269406A756467652E6578616D706C650D0A5375626A6563743A204A554447453A62616C746963202D2053313930314D20526563656970740D0A446174653A204D6F6E2C203233204E6F7620323032362031323A30303A3030202B303030300D0A4D6573736167652D49443A203C6364343561303239303138663436653135626133343738313537646432623963406A756467652E6578616D706C653E0D0A496E2D5265706C792D546F3A203C7461626C652E3140706C61796572732E6578616D706C653E0D0A5265666572656E6365733A203C3833333132323031353339353633626661376633396538666666346431386462406A756467652E6578616D706C653E0D0A203C6634366438366338653536666635383235316261376165663661306334623161406A756467652E6578616D706C653E203C7461626C652E3140706C61796572732E6578616D706C653E0D0A4175746F2D5375626D69747465643A206175746F2D7265706C6965640D0A582D4175746F2D526573706F6E73652D53757070726573733A204F4F462C204175746F5265706C790D0A582D4A756467652D4C6F6F703A20310D0A582D4A756467652D4B696E643A20726563656970740D0A436F6E74656E742D4C616E67756167653A20656E0D0A4C6973742D49643A203C62616C7469632E6A756467652E6578616D706C653E0D0A4C6973742D556E7375627363726962653A200D0A203C6D61696C746F3A6A756467652B6E71646A7A743265696C75726D647269406A756467652E6578616D706C653F7375626A6563743D756E7375627363726962653E0D0A0D0A3A3A204A756467653A204A55444745202047616D653A2062616C746963202056617269616E743A205374616E646172640D0A3A3A20446561646C696E653A2053313930314D204D6F6E204E6F7620333020323032362032303A30303A3030202B303030300D0A0D0A31206F662033206F72646572732061726520686572652E0D0A0D0A486F7720746865206A75646765207265616420796F757220656D61696C3A0D0A0D0A41205061722D4275720D0A0D0A4F7264657273206F66204672616E636520666F722053313930314D2061732074686579207374616E64206E6F773A0D0A0D0A202041726D79205061726973202D3E2042757267756E64792E0D0A2020466C6565742042726573742C204E6F204F726465722050726F6365737365642E0D0A202041726D79204D61727365696C6C65732C204E6F204F726465722050726F6365737365642E0D0A0D0A54686520646561646C696E6520666F72206F7264657273206973204D6F6E203330204E6F7620323032362032303A3030205554432E0D0A0D0A436F6D6D69746D656E7420746F207468657365206F7264657273202861206E6F6E63652C20776869636820697320796F75727320616C6F6E652C20746865206F72646572732C0D0A616E642074686520646967657374206F6620626F74683B20726573756C7473207265706561742069742C20616E6420606A75646765207265636569707420766572696679600D0A636F6D7061726573293A0D0A202031386139393838373135313938643132363561646234653237613662656139390D0A20204120504152202D204255520D0A2020323661653930653338336262383939656166623430393061626639373837363533393163336266636437366133366566336337326237613561376639363262620D0A0D0A546F20616E737765722077697468206F6E65207461703A0D0A0D0A574149543A206E6F20636C6F73696E67206265666F72652074686520646561646C696E650D0A3C6D61696C746F3A6A756467652532426E71646A7A743265696C75726D647269406A756467652E6578616D706C653F7375626A6563743D33445741495426626F64793D334457413D0D0A49543E0D0A445241573A20616363657074206120647261770D0A3C6D61696C746F3A6A756467652532426E71646A7A743265696C75726D647269406A756467652E6578616D706C653F7375626A6563743D33444452415726626F64793D334444523D0D0A41573E0D0A48454C500D0A3C6D61696C746F3A6A756467652532426E71646A7A743265696C75726D647269406A756467652E6578616D706C653F7375626A6563743D334448454C5026626F64793D334448453D0D0A4C503E0D0A','2026-11-23 12:00:00.000000','receipt','baltic','4080e1137f295f3995855b15e42c4818','nqdjzt2eilurmdri',0,'queued','',NULL,NULL);
CREATE TABLE passwords (
	game VARCHAR NOT NULL,
	person VARCHAR NOT NULL,
	hash VARCHAR NOT NULL,
	PRIMARY KEY (game, person),
	FOREIGN KEY(person) REFERENCES people (id)
);
CREATE TABLE people (
	id VARCHAR NOT NULL,
	handle VARCHAR NOT NULL,
	zone VARCHAR,
	key_version INTEGER NOT NULL,
	created_utc DATETIME NOT NULL, pace VARCHAR DEFAULT 'at_once' NOT NULL, form VARCHAR DEFAULT 'pictures' NOT NULL, standby_utc DATETIME, language VARCHAR DEFAULT 'en' NOT NULL, name VARCHAR DEFAULT '' NOT NULL, pictures VARCHAR DEFAULT 'both' NOT NULL,
	PRIMARY KEY (id)
);
INSERT INTO "people" VALUES('da02b5f201a11bc7ad18353f046d031a','player-da02b5',NULL,1,'2026-11-23 12:00:00.000000','at_once','pictures',NULL,'en','','both');
INSERT INTO "people" VALUES('35b9c817d07da871fda9eb6049c2f23b','player-35b9c8',NULL,1,'2026-11-23 12:00:00.000000','at_once','pictures',NULL,'en','','both');
INSERT INTO "people" VALUES('4080e1137f295f3995855b15e42c4818','player-4080e1',NULL,1,'2026-11-23 12:00:00.000000','at_once','pictures',NULL,'en','','both');
INSERT INTO "people" VALUES('285ffb986b08e610d3bba0270c9c16cf','player-285ffb',NULL,1,'2026-11-23 12:00:00.000000','at_once','pictures',NULL,'en','','both');
INSERT INTO "people" VALUES('b206ae6333d7bbc4f6dc330599bca987','player-b206ae',NULL,1,'2026-11-23 12:00:00.000000','at_once','pictures',NULL,'en','','both');
INSERT INTO "people" VALUES('924c845f57cf12e8f3b0d4033e96aea6','player-924c84',NULL,1,'2026-11-23 12:00:00.000000','at_once','pictures',NULL,'en','','both');
INSERT INTO "people" VALUES('0bdd9aa072ae1cad295884da01b3ee52','player-0bdd9a',NULL,1,'2026-11-23 12:00:00.000000','at_once','pictures',NULL,'en','','both');
CREATE TABLE person_keys (
	person VARCHAR NOT NULL,
	"key" BLOB NOT NULL,
	PRIMARY KEY (person),
	FOREIGN KEY(person) REFERENCES people (id)
);
INSERT INTO "person_keys" VALUES('da02b5f201a11bc7ad18353f046d031a',X'7051694374547372516D506B49334F616A30414D71637A357A4277664241684D4777457A4C3570476A77733D');
INSERT INTO "person_keys" VALUES('35b9c817d07da871fda9eb6049c2f23b',X'5479683857454371696453334973666A4D6564352D50764478695A43715F565872544155366B765870366F3D');
INSERT INTO "person_keys" VALUES('4080e1137f295f3995855b15e42c4818',X'5134316C375775612D4979356134595270682D4E5544622D56315052354375376F49636567694650687A553D');
INSERT INTO "person_keys" VALUES('285ffb986b08e610d3bba0270c9c16cf',X'2D6D3167306C4F4C79374A624D683932596E5A78384F5F737269666844755A566D4A664357446B6E6B37343D');
INSERT INTO "person_keys" VALUES('b206ae6333d7bbc4f6dc330599bca987',X'496C5A375A6F3044616E59507766674835464F4A45617251506A70794535795277433373364C4A727655493D');
INSERT INTO "person_keys" VALUES('924c845f57cf12e8f3b0d4033e96aea6',X'4F4B747332545F7234316D72513359706479585F4F6F55314A46504D7347324144596B4B63504B355843593D');
INSERT INTO "person_keys" VALUES('0bdd9aa072ae1cad295884da01b3ee52',X'526D73356D4370414F6B636E427A6C4F54685F56617066536E476D48347633546548433041374D7666656F3D');
CREATE TABLE pulse (
	name VARCHAR NOT NULL,
	beat_utc DATETIME NOT NULL,
	PRIMARY KEY (name)
);
INSERT INTO "pulse" VALUES('judge','2026-11-23 12:00:00.000000');
CREATE TABLE secrets (
	name VARCHAR NOT NULL,
	value BLOB NOT NULL,
	PRIMARY KEY (name)
);
INSERT INTO "secrets" VALUES('token_key',X'D728E4F432C9EB4AB4D619358256B04B8A6DB1DD68AC813D6C8DBFC2273BDA6D');
CREATE TABLE signatures (
	digest VARCHAR NOT NULL,
	sha256 VARCHAR NOT NULL,
	PRIMARY KEY (digest)
);
CREATE TABLE taking_part (
	person VARCHAR NOT NULL,
	game VARCHAR NOT NULL,
	PRIMARY KEY (person, game)
);
INSERT INTO "taking_part" VALUES('da02b5f201a11bc7ad18353f046d031a','baltic');
INSERT INTO "taking_part" VALUES('35b9c817d07da871fda9eb6049c2f23b','baltic');
INSERT INTO "taking_part" VALUES('4080e1137f295f3995855b15e42c4818','baltic');
INSERT INTO "taking_part" VALUES('285ffb986b08e610d3bba0270c9c16cf','baltic');
INSERT INTO "taking_part" VALUES('b206ae6333d7bbc4f6dc330599bca987','baltic');
INSERT INTO "taking_part" VALUES('924c845f57cf12e8f3b0d4033e96aea6','baltic');
INSERT INTO "taking_part" VALUES('0bdd9aa072ae1cad295884da01b3ee52','baltic');
CREATE TABLE tokens (
	digest VARCHAR NOT NULL,
	text VARCHAR NOT NULL,
	purpose VARCHAR NOT NULL,
	person VARCHAR NOT NULL,
	key_version INTEGER NOT NULL,
	game VARCHAR,
	power VARCHAR,
	phase VARCHAR,
	subject VARCHAR,
	PRIMARY KEY (digest)
);
INSERT INTO "tokens" VALUES('f53198f814d388a3b2326160eb02f72fe45306f8e0b880b5187c7748d1f7974f','yvrdgrbqz7boy34u','orders','da02b5f201a11bc7ad18353f046d031a',1,'baltic','AUSTRIA','S1901M',NULL);
INSERT INTO "tokens" VALUES('4c1cae1cf46e4bff86f9b8ce694578ef41383f5b911cf97bdd4e8f9301ad2ba4','nt7c3u4w3y2gdr4o','orders','35b9c817d07da871fda9eb6049c2f23b',1,'baltic','ENGLAND','S1901M',NULL);
INSERT INTO "tokens" VALUES('1773f168e4b423acf0ef12b4f874e4c386dec926c08cc4f5a098d46c58312fd6','ybllkdejupmyttq5','orders','4080e1137f295f3995855b15e42c4818',1,'baltic','FRANCE','S1901M',NULL);
INSERT INTO "tokens" VALUES('c7ce66899790789dfd8a7333fd76a39228618b2608fd88d62331ee6e94c43ea1','ztgjuj46qjqt4vzg','orders','285ffb986b08e610d3bba0270c9c16cf',1,'baltic','GERMANY','S1901M',NULL);
INSERT INTO "tokens" VALUES('9dc881dbbc3c24a60f3884c6d6c5aa8060fe46d1e1551714342ee3b35defe272','mowmodp3diycsmny','orders','b206ae6333d7bbc4f6dc330599bca987',1,'baltic','ITALY','S1901M',NULL);
INSERT INTO "tokens" VALUES('871f42cff653461ba0af4b351b39642768c29d4e76ed7fb60efd1a68ba92dc8d','6tnbylalc3yrcqzu','orders','924c845f57cf12e8f3b0d4033e96aea6',1,'baltic','RUSSIA','S1901M',NULL);
INSERT INTO "tokens" VALUES('2e628acc888a5879eb1f97ec52d32871e4ba88f9b0e19930fc3f7c31e11a7330','y2q55adghg2jpm42','orders','0bdd9aa072ae1cad295884da01b3ee52',1,'baltic','TURKEY','S1901M',NULL);
INSERT INTO "tokens" VALUES('633cd2b6d59ddea7885cef274043933829c662c4b1e8f05a16ed1e3d5ccf9eed','nqdjzt2eilurmdri','orders','4080e1137f295f3995855b15e42c4818',1,'baltic','FRANCE','S1901M','1');
INSERT INTO "tokens" VALUES('56a962b3bd454514c6dacc940b3fdd110165d37c4df49851feca3ce3d08fa594','kmczvbwvqo3gyyw7','orders','da02b5f201a11bc7ad18353f046d031a',1,'baltic','AUSTRIA','F1901M',NULL);
INSERT INTO "tokens" VALUES('2747bc8207ee484e2726e8df3c83c8f24db12010dd07ac11a4450c3ebd5990a6','xd2wavxlouvsg244','orders','35b9c817d07da871fda9eb6049c2f23b',1,'baltic','ENGLAND','F1901M',NULL);
INSERT INTO "tokens" VALUES('1ae47c2d168a14e933af1e17ea372ab4d5dd7be6e1834412dd5533633df28231','temdmztnbhvulwox','orders','4080e1137f295f3995855b15e42c4818',1,'baltic','FRANCE','F1901M',NULL);
INSERT INTO "tokens" VALUES('2cc2416ab6bbb2221c059f50554ccb311a72ea99c506b14f5f516c398be78ba4','xdgg25io5z6bdszy','orders','285ffb986b08e610d3bba0270c9c16cf',1,'baltic','GERMANY','F1901M',NULL);
INSERT INTO "tokens" VALUES('bde1c254e22e10a259eba8dc46adb2aa24c8e1f6c4bf8d819ca67bd33fc09981','5utppgmqgo5fav4s','orders','b206ae6333d7bbc4f6dc330599bca987',1,'baltic','ITALY','F1901M',NULL);
INSERT INTO "tokens" VALUES('67b33946bf22198e89ac00557fb0e858a9e042615104de1d0013695f140768fc','n2ybed7obunojvow','orders','924c845f57cf12e8f3b0d4033e96aea6',1,'baltic','RUSSIA','F1901M',NULL);
INSERT INTO "tokens" VALUES('79f249f39c31349b3cc25ee94caeb5633e7a46c0285d6116fc3a7d9506aa2954','ozhnpoveqq33ghuk','orders','0bdd9aa072ae1cad295884da01b3ee52',1,'baltic','TURKEY','F1901M',NULL);
CREATE TABLE vouched (
	game VARCHAR NOT NULL,
	version INTEGER NOT NULL,
	hash VARCHAR NOT NULL,
	digest VARCHAR NOT NULL,
	reason VARCHAR NOT NULL,
	vouched_utc DATETIME NOT NULL,
	PRIMARY KEY (game)
);
CREATE INDEX inbox_waiting ON inbox (state, received_utc);
CREATE INDEX outbox_due ON outbox (state, due_utc);
CREATE INDEX ix_addresses_person ON addresses (person);
CREATE INDEX ix_agenda_due_utc ON agenda (due_utc);
CREATE INDEX outbox_sender ON outbox (sender);
CREATE INDEX outbox_person ON outbox (person);
CREATE INDEX inbox_held_for ON inbox (held_for, state);
CREATE TRIGGER events_never_change BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;
CREATE TRIGGER events_never_go BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;
CREATE TRIGGER events_never_give_way BEFORE INSERT ON events WHEN EXISTS (
        SELECT 1 FROM events WHERE position = NEW.position
        OR (game = NEW.game AND version = NEW.version)) BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('inbox',1);
COMMIT;
